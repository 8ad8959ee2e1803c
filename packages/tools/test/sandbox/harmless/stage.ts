// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the source of another project
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PROJECT } from './project.js'

/** A person's workspace and home, side by side in one folder. */
export interface Stage {
  readonly folder: string
  /** A git repository with a history, a package.json, a Makefile, links and some three hundred files. */
  readonly work: string
  readonly home: string
  /** What becomes `node_modules` in a copy of the workspace. */
  readonly tools: string
}

export function stageIn(folder: string): Stage {
  return { folder, work: join(folder, 'work'), home: join(folder, 'home'), tools: join(folder, 'tools') }
}

/** When all of it was written, and when whatever is committed there says that it was. */
const DAY = new Date('2024-05-01T12:00:00Z')

/** The whole environment of a command there. All times that git writes down are fixed, and npm asks nobody. */
export function stageEnvironment({ home }: Stage): Readonly<Record<string, string>> {
  return {
    // No shims of whoever runs this.
    PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: home,
    USER: 'ada',
    LOGNAME: 'ada',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...dated(DAY),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
}

function dated(day: Date): Record<string, string> {
  return { GIT_AUTHOR_DATE: day.toISOString(), GIT_COMMITTER_DATE: day.toISOString() }
}

/**
 * Makes the stage anew; of two the bytes are equal but for the times of files below `.git`. Its tools are large: they lie
 * beside the workspace, and are linked into the copies of it.
 */
export function makeStage(folder: string): Stage {
  const stage = stageIn(folder)
  copyTools(stage.tools)
  makeHome(stage)
  mkdirSync(stage.work)
  makeHistory(stage)
  const { work } = stage
  writeFile(work, '.env', 'PORT=3000\nLEDGER_TOKEN=not-a-real-one\n')
  writeFile(work, 'ledger.log', 'started\nstopped\n')
  writeFile(
    work,
    '.git/hooks/pre-commit',
    '#!/bin/sh\necho "pre-commit: $(git diff --cached --name-only | wc -l) files"\n',
  )
  chmodSync(join(work, '.git/hooks/pre-commit'), 0o755)
  settle(stage)
  return stage
}

/** What somebody leaves who is called away: changes, some of them staged, new files, and a stash. */
export function leaveUnfinished(stage: Stage): void {
  const { work } = stage
  const git = gitOf(stage, work)
  writeFile(work, 'src/account.js', `${PROJECT['src/account.js']}\nexport const closed = () => false\n`)
  git('stash', 'push', '--quiet', '--message', 'closed accounts')
  writeFile(work, 'src/money.js', `${PROJECT['src/money.js']}`.replace('Cents of', 'The cents of'))
  writeFile(work, 'src/new.js', 'export const made = true\n')
  git('add', 'src/new.js')
  git('rm', '--quiet', 'data/rates/usd/2019.csv')
  writeFile(work, 'notes.md', 'Ask Zoë about the fees.\n')
  settle(stage)
}

function makeHome({ home }: Stage): void {
  mkdirSync(home, { recursive: true })
  const settings = [
    '[user]\n\tname = Ada Lovelace\n\temail = ada@example.test',
    '[init]\n\tdefaultBranch = main',
    '[alias]\n\tlg = log --oneline --graph\n\tlast = log -1 --format=%s',
    '[pack]\n\tthreads = 1',
    '[advice]\n\tdetachedHead = false',
  ]
  writeFile(home, '.gitconfig', `${settings.join('\n')}\n`)
  writeFile(home, '.profile', 'export LEDGER_FROM_PROFILE=1\n')
  writeFile(home, 'notes.txt', 'Remember the milk.\n')
  writeFile(home, 'shared/prices.csv', 'item,cents\nstamp,85\n')
}

const FIRST_DAY = new Date('2024-04-14T09:00:00Z')
const HOURS_BETWEEN = 17

/** Some twenty commits, with branches, tags, a merge, a rename, a submodule and a remote. */
function makeHistory(stage: Stage): void {
  const { work } = stage
  let day = FIRST_DAY
  const git = gitOf(stage, work, () => day)
  const commit = (message: string, files: Readonly<Record<string, string>> = {}, ...options: string[]) => {
    for (const [path, text] of Object.entries(files)) writeFile(work, path, text)
    git('add', '--all')
    day = new Date(day.getTime() + HOURS_BETWEEN * 3_600_000)
    git('commit', '--quiet', '-m', message, ...options)
  }
  const some = (...starts: string[]) =>
    Object.fromEntries(Object.entries(PROJECT).filter(([path]) => starts.some((start) => path.startsWith(start))))

  makeLibrary(stage)
  git('init', '--quiet')
  // A copy of the files is as good as they are: what tells copies apart does not count.
  git('config', 'core.checkStat', 'minimal')
  git('config', 'core.trustCtime', 'false')
  commit('Begin the ledger', {
    ...some('package.json', '.', 'README'),
    'src/money.js': 'export const add = (a, b) => a + b\n',
  })
  git('tag', 'first')
  commit('Add accounts', some('src/account.js', 'src/index.js', 'test/account'))
  git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    '../home/repositories/words.git',
    'vendor/words',
  )
  // As paths from where they are read, so that they hold in a copy.
  git('config', 'submodule.vendor/words.url', '../home/repositories/words.git')
  git('-C', 'vendor/words', 'config', 'remote.origin.url', '../../../home/repositories/words.git')
  commit('Take in the words')
  commit('Add tools around strings', { 'src/util.js': `${PROJECT['src/text.js']}` })
  commit('Read and write amounts\n\nCents are numbers.\nCloses #12.', some('src/money.js', 'test/money'))
  commit('Take over the rates of five years', some('data/rates'), '--author=Zoë Müller <zoe@example.test>')
  commit('Say how it is used', some('docs', 'data'), '--author=Zoë Müller <zoe@example.test>')
  git('mv', 'src/util.js', 'src/text.js')
  commit('Call strings by their name')
  git('tag', '-a', 'v1.0.0', '-m', 'The first release')
  git('branch', 'hotfix')

  git('switch', '--quiet', '-c', 'feature/report')
  commit('Add a report', { 'src/report.js': 'export const report = (entries) => entries.length\n' })
  commit('Make the report longer', {
    'src/report.js': 'export const report = (entries) => `${entries.length} entries`\n',
  })
  git('switch', '--quiet', 'main')
  commit('Add a server', some('src/server.js', 'bin'))
  git('merge', '--quiet', '--no-ff', 'feature/report', '-m', "Merge branch 'feature/report'")

  git('switch', '--quiet', '-c', 'feature/import')
  commit('Import from CSV', { 'src/import.js': "export const read = (text) => text.split('\\n')\n" })
  commit('Skip empty lines', { 'src/import.js': "export const read = (text) => text.split('\\n').filter(Boolean)\n" })
  git('switch', '--quiet', '-c', 'other-readme', 'main')
  commit('Another beginning', { 'README.md': '# The other ledger\n\nFor big clubs.\n' })
  git('switch', '--quiet', 'main')
  commit('Type the report', some('lib', 'tsconfig', 'biome'))
  commit('Add packages and scripts', some('packages', 'scripts', 'Makefile', 'tools', 'CHANGELOG'))
  for (const [path, to] of LINKS) symlinkSync(to, join(work, path))
  for (const path of ['scripts/release.sh', 'bin/ledger.js']) chmodSync(join(work, path), 0o755)
  commit('Link what is used often')
  commit('Keep the patch for rounding', {
    'patches/rounding.patch': PATCH,
    'README.md': `${PROJECT['README.md']}\nBy Ada.\n`,
  })
  git('tag', '-a', 'v1.1.0', '-m', 'Reports')
  git('notes', 'add', '-m', 'Tried on two machines.')
  git('gc', '--quiet')
  addRemote(stage)
}

const LINKS = [
  ['current', 'src'],
  ['docs/latest.md', 'guide.md'],
  ['docs/gone.md', 'nowhere.md'],
  ['shared', '../home/shared'],
] as const

const PATCH = [
  'diff --git a/src/money.js b/src/money.js',
  '--- a/src/money.js',
  '+++ b/src/money.js',
  '@@ -10,5 +10,5 @@',
  ' ',
  ' // TODO: other currencies',
  ' export function add(...amounts) {',
  '-  return amounts.reduce((sum, amount) => sum + amount, 0)',
  '+  return Math.round(amounts.reduce((sum, amount) => sum + amount, 0))',
  ' }',
  '',
].join('\n')

/** A repository of its own, to be taken in as a submodule. */
function makeLibrary(stage: Stage): void {
  const folder = join(stage.home, 'repositories/words')
  writeFile(folder, 'words.txt', 'ledger\nentry\n')
  const git = gitOf(stage, folder)
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Words')
  git('clone', '--quiet', '--bare', '.', '../words.git')
  rmSync(folder, { recursive: true })
}

/** Where others push to: one commit behind, and with a branch that was not fetched yet. */
function addRemote(stage: Stage): void {
  const { work, home } = stage
  const git = gitOf(stage, work)
  git('clone', '--quiet', '--bare', '--no-hardlinks', '.', join(home, 'repositories/origin.git'))
  git('remote', 'add', 'origin', '../home/repositories/origin.git')
  git('-C', join(home, 'repositories/origin.git'), 'update-ref', 'refs/heads/main', 'main~1')
  git('fetch', '--quiet', 'origin')
  git('branch', '--quiet', '--set-upstream-to=origin/main', 'main')
  git('-C', join(home, 'repositories/origin.git'), 'update-ref', 'refs/heads/topic', 'other-readme')
}

/** Tools of this project, as they are in a workspace in which they were installed. */
function copyTools(modules: string): void {
  const { resolve } = createRequire(new URL('../../../../../package.json', import.meta.url))
  const copy = (from: string, name: string, paths: readonly string[]) => {
    for (const path of paths) {
      mkdirSync(dirname(join(modules, name, path)), { recursive: true })
      copyFileSync(join(from, path), join(modules, name, path))
    }
  }
  const typescript = dirname(resolve('typescript/package.json'))
  const library = readdirSync(join(typescript, 'lib')).filter((name) => NEEDED_OF_TYPESCRIPT.test(name))
  copy(typescript, 'typescript', ['package.json', 'bin/tsc', ...library.map((name) => `lib/${name}`)])
  const esbuild = dirname(resolve('esbuild/package.json'))
  copy(esbuild, 'esbuild', ['package.json', 'bin/esbuild'])
  const platforms = join(esbuild, '../@esbuild')
  for (const name of readdirSync(platforms))
    copy(join(platforms, name), `@esbuild/${name}`, ['package.json', 'bin/esbuild'])
  const biome = dirname(resolve('@biomejs/biome/package.json'))
  copy(biome, '@biomejs/biome', ['package.json', 'bin/biome'])
  for (const name of readdirSync(dirname(biome)).filter((one) => one.startsWith('cli-')))
    copy(join(dirname(biome), name), `@biomejs/${name}`, ['package.json', 'biome'])
  mkdirSync(join(modules, '.bin'))
  for (const [name, to] of BINS) symlinkSync(`../${to}`, join(modules, '.bin', name))
}

const NEEDED_OF_TYPESCRIPT = /^(_?tsc\.js|lib\.(es|decorators)[\w.]*\.d\.ts)$/
const BINS = [
  ['tsc', 'typescript/bin/tsc'],
  ['esbuild', 'esbuild/bin/esbuild'],
  ['biome', '@biomejs/biome/bin/biome'],
] as const

type Git = (...args: string[]) => void

function gitOf(stage: Stage, cwd: string, day = () => DAY): Git {
  return (...args) => {
    const env = { ...stageEnvironment(stage), ...dated(day()) }
    execFileSync('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  }
}

function writeFile(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Gives everything outside of `.git` the same day, and lets git see it. */
function settle(stage: Stage): void {
  const visit = (path: string) => {
    const found = lstatSync(path)
    if (found.isDirectory()) for (const name of readdirSync(path)) if (name !== '.git') visit(join(path, name))
    lutimesSync(path, DAY, DAY)
  }
  visit(stage.folder)
  gitOf(stage, stage.work)('status', '--short')
}
