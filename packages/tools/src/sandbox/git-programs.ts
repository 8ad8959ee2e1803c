import type { GitSetting } from './git-configuration.js'

/**
 * Settings that make one setting of a repository harmless: git then does what it does without it, as far as that can be
 * said by a setting. Nothing where it starts no program.
 */
export function harmlessSettings({ key, value }: GitSetting): readonly (readonly [key: string, value: string])[] {
  const { section, subsection, name } = partsOf(key)
  const shape = subsection === undefined ? `${section}.${name}` : `${section}.*.${name}`
  if (shape === 'uploadpack.packobjectshook' || section === 'credential') return []
  if (section === 'alias') return isPlainAlias(value ?? '') ? [] : [[key, '']]
  if (section === 'pager')
    return [[key, /^(?:true|false|yes|no|on|off|\d+)?$/i.test(value ?? '') ? (value ?? '') : 'true']]
  if (section === 'protocol') return protocolSettings(subsection)
  if (shape === 'submodule.*.update') return value?.startsWith('!') ? [[key, 'checkout']] : []
  if (shape === 'trailer.*.command' || shape === 'trailer.*.cmd') return [[`trailer.${subsection}.cmd`, 'printf %s']]
  if (shape === 'tar.*.command') return [[key, /gz$/.test(subsection ?? '') ? 'gzip -cn' : 'cat']]
  if (shape === 'hook.*.command')
    return [
      [key, 'true'],
      [`hook.${subsection}.enabled`, 'false'],
    ]
  if (shape === 'gc.recentobjectshook')
    return [
      ['gc.auto', '0'],
      ['maintenance.auto', 'false'],
    ]
  // Git takes the first one that it finds, so that a later one changes nothing: it is only run for a folder of this machine.
  if (shape === 'remote.*.uploadpack' || shape === 'remote.*.receivepack') return [['protocol.file.allow', 'never']]
  if (section === 'filter' && LARGE_FILES.test(value ?? '')) return []
  const known = HARMLESS[shape] ?? HARMLESS[`${section}.${name}`]
  if (known !== undefined) return [[key, known]]
  return STARTS_PROGRAM.test(name) ? [[key, 'false']] : []
}

/** `section.Sub.section.name`; only the first and the last part are without regard to capitals, and git has made them small. */
function partsOf(key: string): { readonly section: string; readonly subsection?: string; readonly name: string } {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const ends = { section: key.slice(0, first), name: key.slice(last + 1) }
  return first === last ? ends : { ...ends, subsection: key.slice(first + 1, last) }
}

/** The difference of two files as git shows it, under the name that git gives, without any driver. */
const DIFFERENCE = `nacre() {
  if [ $# -lt 7 ]; then echo "* Unmerged path $1"; return; fi
  NAME=$1 MODE=$4 NEW=$7 export NAME MODE NEW
  git --no-pager diff --no-index --no-ext-diff --no-textconv --no-color -- "$2" "$5" | LC_ALL=C awk '
    BEGIN { n = ENVIRON["NAME"]; m = ENVIRON["MODE"]; w = ENVIRON["NEW"] }
    inside { print; next }
    /^diff / { print "diff --git a/" n " b/" n; if (m != w && m != "." && w != ".") { print "old mode " m; print "new mode " w } next }
    /^(old|new) mode / { next }
    /^new file mode / { print "new file mode " w; next }
    /^deleted file mode / { print "deleted file mode " m; next }
    /^index / { print $1, $2 (m == w ? " " m : ""); next }
    /^Binary files / { print "Binary files " (m == "." ? "/dev/null" : "a/" n) " and " (w == "." ? "/dev/null" : "b/" n) " differ"; next }
    /^--- / { print $2 == "/dev/null" ? $0 : "--- a/" n; next }
    /^\\+\\+\\+ / { print $2 == "/dev/null" ? $0 : "+++ b/" n; inside = 1; next }
    { print }'
}; nacre`

/** Three versions of a text put together as git does it; the names at its conflicts are others. */
const MERGE = 'git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B'

/** The objects that a repository beside this one has, as git asks for them. */
const ALTERNATES = 'nacre() { git --git-dir="$1" for-each-ref --format="%(objectname)"; }; nacre'

/** By `section.name`, or `section.*.name` where only a name of somebody's own between the two makes it a program. */
const HARMLESS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hookspath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.sshcommand': 'ssh',
  'core.askpass': '',
  'core.alternaterefscommand': ALTERNATES,
  'sequence.editor': 'false',
  'diff.external': DIFFERENCE,
  'diff.*.command': DIFFERENCE,
  'diff.*.textconv': 'cat',
  'merge.*.driver': MERGE,
  'filter.*.clean': '',
  'filter.*.smudge': '',
  'filter.*.process': '',
  'filter.*.required': 'false',
  'gpg.program': 'gpg',
  'gpg.*.program': 'false',
  'remote.*.vcs': '',
  'interactive.difffilter': 'cat',
  'difftool.*.cmd': '',
  'difftool.*.path': '',
  'mergetool.*.cmd': '',
  'mergetool.*.path': '',
  'guitool.*.cmd': 'false',
  'browser.*.cmd': '',
  'browser.*.path': '',
  'man.*.cmd': 'man',
  'man.*.path': 'man',
  'web.browser': '',
  'help.browser': '',
  'instaweb.httpd': '',
  'instaweb.browser': '',
  'instaweb.modulepath': '',
  'sendemail.smtpserver': 'localhost',
  'sendemail.sendmailcmd': 'false',
  'sendemail.tocmd': 'true',
  'sendemail.cccmd': 'true',
  'sendemail.headercmd': 'true',
  'imap.tunnel': 'false',
  'init.templatedir': '',
  'svn.authorsprog': 'false',
  'lfs.*.path': 'false',
  'lfs.*.clean': 'cat',
  'lfs.*.smudge': 'cat',
  'lfs.standalonetransferagent': '',
}

/** As Git LFS sets itself up. What it could be told to start stands in settings of its own, which are off. */
const LARGE_FILES = /^git-lfs (?:clean -- %f|smudge(?: --skip)? -- %f|filter-process(?: --skip)?)$/

/** What a later git may call a setting with a program. */
const STARTS_PROGRAM = /(?:command|cmd|helper|program|prog|hook|driver|editor|pager|textconv|askpass|sshcommand)$/

/** Aliases for commands that start no program, without options that would. */
function isPlainAlias(value: string): boolean {
  return (
    /^(?:status|log|show|branch|checkout|switch|add|commit|tag|diff)(?:\s|$)/.test(value) &&
    !/--(?:out|ext)/.test(value)
  )
}

/** What git allows unless told: a repository may not widen it. */
function protocolSettings(protocol: string | undefined): readonly (readonly [string, string])[] {
  const usual = (name: string) => (name === 'ext' ? 'never' : SAFE_PROTOCOLS.includes(name) ? 'always' : 'user')
  if (protocol !== undefined) return [[`protocol.${protocol}.allow`, usual(protocol)]]
  return [['protocol.allow', 'user'], ...SAFE_PROTOCOLS.map((name) => [`protocol.${name}.allow`, 'always'] as const)]
}

const SAFE_PROTOCOLS: readonly string[] = ['http', 'https', 'git', 'ssh']
