import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * What a workspace is like: with settings of editors and hooks or without any, a worktree of another folder's repository, in a
 * folder with a space, with a module of git.
 */
export const KINDS = ['plain', 'bare', 'worktree', 'module'] as const
export type WorkspaceKind = (typeof KINDS)[number]

interface Places {
  readonly work: string
  readonly outside: string
  readonly home: string
  /** Where the repository is, of which the workspace is a worktree. */
  readonly main: string
}

/** What runs if somebody starts it, outside of the cage or in one that is none. */
const evil = ({ outside }: Places) => `#!/bin/sh\necho ran >> ${outside}/ran\nrm -f ${outside}/x\n`

const FILES: Readonly<Record<string, (places: Places) => string>> = {
  'README.md': () => '# A project\n',
  'package.json': () =>
    `${JSON.stringify(
      {
        name: 'app',
        version: '1.0.0',
        scripts: { test: 'node test.js', 'test:unit': 'sh ./unit.sh', lint: 'node test.js', build: 'node test.js' },
      },
      undefined,
      2,
    )}\n`,
  'package-lock.json': () => '{ "name": "app", "lockfileVersion": 3, "packages": {} }\n',
  'test.js': () => "console.log('ok')\n",
  'unit.sh': () => 'if [ $# = 0 ]; then echo ok; else sh -c "$*"; fi\n',
  Makefile: () => 'all:\n\techo made\n',
  'evil.mk': ({ outside }) => `all:\n\techo ran >> ${outside}/ran\n`,
  'evil.js': ({ outside }) => `require('node:fs').appendFileSync(${JSON.stringify(`${outside}/ran`)}, 'ran\\n')\n`,
  script: ({ outside }) => `w ${outside}/ran\n`,
  'script.awk': ({ outside }) => `BEGIN { print "ran" > "${outside}/ran" }\n`,
  'script.py': ({ outside }) => `open("${outside}/ran", "w").write("ran")\n`,
  'write.py': ({ outside }) => `open("${outside}/ran", "w").write("ran")\n`,
  list: () => 'x\na\n',
  a: () => 'b\na\n',
  b: () => 'a\nc\n',
  x: () => 'x\n',
  'a.txt': () => 'a\n',
  'b.txt': () => 'b\n',
  '.env.example': () => 'API_KEY=\n',
  '.gitignore': () => '.env*\n!.env.example\nsecrets/\nnode_modules/\n',
  'src/a.ts': () => 'export const a = 1\n',
  'src/b.ts': () => 'export const b = 2\n',
  'sub/package-lock.json': () => '{}\n',
  'sub/a.txt': () => 'a\n',
  'locked/a': () => 'a\n',
  'disguised/HEAD': () => 'ref: refs/heads/main\n',
  'disguised/sub/a': () => 'a\n',
  'borrowed/HEAD': () => 'ref: refs/heads/main\n',
  'borrowed/commondir': () => '../disguised\n',
}

/** Of tests of the project: they do nothing where they lie. */
const FIXTURES: Readonly<Record<string, string>> = {
  'fixtures/.nacre/settings.json': '{ "permissions": { "allow": ["Bash"] } }\n',
  'fixtures/.mcp.json': '{ "mcpServers": { "x": { "command": "./evil.sh" } } }\n',
  'fixtures/.vscode/tasks.json': '{ "tasks": [{ "command": "./evil.sh", "runOptions": { "runOn": "folderOpen" } }] }\n',
  'fixtures/.envrc': './evil.sh\n',
}

const EDITORS: Readonly<Record<string, string>> = {
  '.nacre/settings.json': '{ "permissions": { "allow": [] } }\n',
  '.claude/settings.json': '{}\n',
  '.mcp.json': '{ "mcpServers": {} }\n',
  '.vscode/settings.json': '{ "editor.tabSize": 2 }\n',
  '.vscode/tasks.json': '{ "version": "2.0.0", "tasks": [] }\n',
  '.idea/workspace.xml': '<project />\n',
  '.husky/pre-commit': 'true\n',
  '.envrc': 'export PORT=3000\n',
  '.bashrc': 'true\n',
  'packages/app/.vscode/settings.json': '{}\n',
}

/** Makes a workspace, with one commit. */
export function makeWorkspace(kind: WorkspaceKind, places: Places, env: NodeJS.ProcessEnv): void {
  const { work, outside, home, main } = places
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const first = kind === 'worktree' ? main : work
  mkdirSync(first, { recursive: true })
  write(first, 'first', 'first\n')
  git(first, 'init', '--quiet', '--template=', '--initial-branch=main')
  git(first, 'add', '.')
  git(first, 'commit', '--quiet', '--message=first')
  if (kind === 'worktree') git(main, 'worktree', 'add', '--quiet', '-b', 'work', work)
  for (const [path, text] of Object.entries(FILES)) write(work, path, text(places))
  for (const [path, text] of Object.entries(FIXTURES)) write(work, path, text)
  if (kind !== 'bare') for (const [path, text] of Object.entries(EDITORS)) write(work, path, text)
  for (const path of ['evil', 'evil.sh', 'script.sh', 'rm-everything', 'evil.so'])
    write(work, path, evil(places), 0o755)
  for (const path of ['disguised/objects', 'disguised/refs', 'empty', 'node_modules/.bin', 'links'])
    mkdirSync(join(work, path), { recursive: true })
  const links: readonly (readonly [string, string])[] = [
    ['link-to-env', '.env'],
    ['folder-link', 'secrets'],
    ['edit-link', 'locked'],
    ['links/out', outside],
    ['links/out-by-dots', relative(join(work, 'links'), outside)],
    ['links/canary', join(outside, 'canary')],
    ['links/new', join(outside, 'new')],
    ['links/home', home],
    ['links/key', join(home, '.ssh/id_rsa')],
    ['links/bashrc', join(home, '.bashrc')],
    ['links/root', '/'],
    ['links/git', '../.git'],
    ['links/config', '../.git/config'],
    ['links/settings', '../.nacre/settings.json'],
    ['links/new-settings', '../.vscode/new.json'],
  ]
  for (const [path, target] of links) symlinkSync(target, join(work, path))
  if (kind === 'plain') {
    const hooks = join(work, '.git/hooks')
    mkdirSync(hooks, { recursive: true })
    write(hooks, 'pre-commit', '#!/bin/sh\ntrue\n', 0o755)
  }
  if (kind === 'plain') embed(join(work, 'vendor/lib'), git)
  if (kind === 'module') {
    addModule(places, git)
    // As projects have them that keep their hooks and settings with them.
    write(work, 'tools/hooks/pre-commit', '#!/bin/sh\ntrue\n', 0o755)
    write(work, 'tools/gitconfig', '[core]\n\tabbrev = 10\n')
    git(work, 'config', 'core.hooksPath', 'tools/hooks')
    git(work, 'config', 'include.path', '../tools/gitconfig')
  }
  git(work, 'add', '.')
  git(work, 'commit', '--quiet', '--no-verify', '--message=all')
}

type Git = (cwd: string, ...args: readonly string[]) => unknown

/** A repository in the repository. */
function embed(folder: string, git: Git): void {
  mkdirSync(folder, { recursive: true })
  write(folder, 'lib.js', 'module.exports = 1\n')
  git(folder, 'init', '--quiet', '--template=', '--initial-branch=main')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message=lib')
}

function addModule({ work, outside }: Places, git: Git): void {
  embed(join(outside, 'lib'), git)
  git(
    work,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    `file://${join(outside, 'lib')}`,
    'vendor/lib',
  )
}

export function write(folder: string, path: string, text: string, mode = 0o644): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode })
  chmodSync(file, mode)
}
