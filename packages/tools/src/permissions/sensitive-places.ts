import { comparable } from './path-pattern.js'

/** Where a change makes other programs run something, opens an account, or changes the rules themselves. */
const WRITING: readonly RegExp[] = [
  /\/\.git(\/|$)/,
  /\/(\.husky|\.githooks)\//,
  /\/\.(gitconfig|gitmodules|gitattributes)$/,
  /\/\.config\/(git|fish|autostart|systemd)\//,
  /\/\.(bash|zsh|k?sh|csh|tcsh)(rc|_profile|_login|_logout|_aliases|env|profile|login|logout)$/,
  /\/\.z(shrc|shenv|profile|login|logout)$/,
  /\/\.(profile|inputrc|envrc|npmrc|yarnrc|yarnrc\.yml|netrc|pypirc|vimrc|exrc|curlrc|wgetrc|tmux\.conf|xinitrc|xprofile)$/,
  /\/\.(ssh|gnupg|aws|kube|docker)\//,
  /\/\.(ssh|gnupg|aws|kube|docker|husky)$/,
  /\/\.mcp\.json$/,
  /\/\.?nacre\/settings[^/]*\.json$/,
  /\/\.nacre$/,
  /\/(crontab|cron\.d)(\/|$)/,
]

/** What holds keys. */
const READING: readonly RegExp[] = [
  /\/\.(ssh|gnupg)\/(?!known_hosts|config$|.*\.pub$)/,
  /\/\.aws\/credentials$/,
  /\/\.(netrc|pypirc|git-credentials|pgpass)$/,
  /\/\.(docker\/config\.json|kube\/config)$/,
  /^\/etc\/(shadow|gshadow|sudoers)/,
  /^\/proc\/([^/]+\/)+(environ|mem)$/,
]

/** Whether a file is one that nobody should touch without a question. */
export function isSensitive(path: string, kind: 'read' | 'write'): boolean {
  const name = comparable(path).toLowerCase()
  return (kind === 'write' ? WRITING : READING).some((place) => place.test(name))
}
