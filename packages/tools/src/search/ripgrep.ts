import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { confirmMatches } from './confirm-matches.js'
import { canHold, openBelow, reallyBelow } from './held-files.js'
import { hasRulesAbove, isInRepository } from './ignore-rules.js'
import { readMatches } from './ripgrep-output.js'
import {
  type BytePath,
  datedPath,
  type FileFilter,
  type GlobAnswer,
  type GlobQuestion,
  type GrepAnswer,
  type GrepQuestion,
  newestFirst,
  pathText,
  patternError,
  SYSTEM_FOLDERS,
  sortKey,
} from './search-question.js'

// By a name that bundlers do not see: the package looks for its binary beside itself.
const PACKAGE: string = '@vscode/ripgrep'

let found: Promise<string | undefined> | undefined

/** The ripgrep to run: that of the package @vscode/ripgrep, else `rg` on the PATH. Looked for once. */
export function findRipgrep(): Promise<string | undefined> {
  found ??= packaged().then((path) => path ?? onPath())
  return found
}

async function packaged(): Promise<string | undefined> {
  try {
    // An optional dependency, whose own import throws where the platform has no binary.
    const { rgPath }: { readonly rgPath: string } = await import(PACKAGE)
    return existsSync(rgPath) ? rgPath : undefined
  } catch {
    return undefined
  }
}

function onPath(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}

/**
 * Asks ripgrep. It searches on all processors and in no order, and the order is made afterwards. Where there is more
 * than the budget it is stopped, and asked again in the order of paths until there is what is wanted.
 */
export async function ripgrepGrep(ripgrep: string, question: GrepQuestion, signal: AbortSignal): Promise<GrepAnswer> {
  const { root, cwd = root, file, isJudged } = question
  if (file !== undefined && canHold) return inOpenFiles(ripgrep, question, [file], signal)
  const target = file === undefined ? './' : `./${pathText(file)}`
  const answer = await askOnce({ ripgrep, cwd, args: grepArguments(question, [target]), signal }, question)
  if (!isJudged) return answer
  return confirmMatches(answer, question, async (batch) => {
    const paths = batch.map(({ path }) => path)
    if (canHold)
      return (await inOpenFiles(ripgrep, { ...question, wanted: Number.POSITIVE_INFINITY }, paths, signal)).found
    const there = new Set(await reallyBelow(root, paths))
    return batch.filter(({ path }) => there.has(path))
  })
}

/** Asks about files that are opened here and handed over: their paths can lead ripgrep nowhere else. */
async function inOpenFiles(
  ripgrep: string,
  question: GrepQuestion,
  paths: readonly BytePath[],
  signal: AbortSignal,
): Promise<GrepAnswer> {
  const files: FileHandle[] = []
  const names = new Map<BytePath, BytePath>()
  try {
    for (const path of paths) {
      const file = await openBelow(question.root, path)
      // The first three descriptors of a program are not for files.
      if (file) names.set(String(files.push(file) + 2), path)
    }
    if (files.length === 0) return { found: [], total: 0 }
    const args = grepArguments(
      question,
      [...names.keys()].map((name) => `./${name}`),
    )
    const run = { ripgrep, cwd: OPEN_FILES, args, signal, descriptors: files.map(({ fd }) => fd) }
    const answer = await askOnce(run, { ...question, file: '' })
    const found = answer.found.flatMap((matches) => {
      const path = names.get(matches.path)
      return path === undefined ? [] : [{ ...matches, path }]
    })
    return { ...answer, found: found.toSorted((one, other) => (sortKey(one.path) < sortKey(other.path) ? -1 : 1)) }
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}

/** The folder in which a program finds the files that it was handed. */
const OPEN_FILES = '/proc/self/fd'

async function askOnce(run: RipgrepRun, question: GrepQuestion): Promise<GrepAnswer> {
  const pieces: Buffer[] = []
  let size = 0
  const complaint = await runRipgrep(run, (piece) => {
    pieces.push(piece)
    size += piece.length
    return size <= question.budget
  })
  if (complaint !== undefined) throw patternError(question.pattern, reasonIn(complaint))
  if (size > question.budget) return askInOrder(run, question)
  return readMatches(Buffer.concat(pieces), question)
}

async function askInOrder(run: RipgrepRun, question: GrepQuestion): Promise<GrepAnswer> {
  const pieces: Buffer[] = []
  let size = 0
  // Reading takes longer the more there is, so it is tried at sizes that double.
  let tryAt = 1 << 16
  await runRipgrep({ ...run, args: ['--sort=path', ...run.args] }, (piece) => {
    pieces.push(piece)
    size += piece.length
    if (size < tryAt) return true
    tryAt *= 2
    return readMatches(Buffer.concat(pieces), question).total <= question.wanted
  })
  return { found: readMatches(Buffer.concat(pieces), question).found }
}

/** What ripgrep says, without hints at flags that are not for the model. */
function reasonIn(complaint: string): string {
  const said = /~\n([\s\S]*?)\n~/.exec(complaint)?.[1] ?? complaint
  return `ripgrep says: ${said.replace(/^rg: /, '').replace(/\n\nConsider enabling[\s\S]*$/, '')}`
}

/** Asks ripgrep for files by the time of their change. Only files of the same time have to be put in order here. */
export async function ripgrepGlob(ripgrep: string, question: GlobQuestion, signal: AbortSignal): Promise<GlobAnswer> {
  const { root, cwd = root, filter, limit } = question
  const args = ['--files', '--sortr=modified', ...filterArguments(root, filter), './']
  const pieces: Buffer[] = []
  const complaint = await runRipgrep({ ripgrep, cwd, args, signal }, (piece) => {
    pieces.push(piece)
    return true
  })
  if (complaint !== undefined) throw new Error(`The files can not be listed. ripgrep says: ${complaint}`)
  const listed = Buffer.concat(pieces).toString('latin1').split('\0')
  const all = listed.slice(0, -1).map((path) => path.slice('./'.length))
  const paths = filter.accepts ? all.filter(filter.accepts) : all
  const newest = upTo(limit, root, paths)
  const there = await reallyBelow(root, newest)
  return { paths: there, total: paths.length > limit ? paths.length - (newest.length - there.length) : there.length }
}

/** The first of a list that is in order but for files of the same time. */
function upTo(limit: number, root: string, paths: readonly BytePath[]): BytePath[] {
  const dated = []
  for (const path of paths) {
    const file = datedPath(root, path)
    if (!file) continue
    if (dated.length >= limit && file.time !== dated.at(-1)?.time) break
    dated.push(file)
  }
  return newestFirst(dated).slice(0, limit)
}

/** The arguments by which ripgrep answers a question of Grep. */
function grepArguments(question: GrepQuestion, targets: readonly string[]): string[] {
  const { file, filter, root, pattern, ignoresCase, isMultiline } = question
  return [
    // Look-around and back references, which the usual engine does not know, are left to the other one.
    '--engine=auto',
    '--crlf',
    ...(ignoresCase ? ['--ignore-case'] : []),
    ...(isMultiline ? ['--multiline', '--multiline-dotall'] : []),
    ...outputArguments(question),
    ...(file === undefined ? filterArguments(root, filter) : []),
    `--regexp=${pattern}`,
    '--',
    ...targets,
  ]
}

/** The arguments by which ripgrep walks just the files that a filter may accept. */
function filterArguments(root: string, { names, without = [], isHidden, maxDepth }: FileFilter): string[] {
  const system = root === '/' ? SYSTEM_FOLDERS.map((name) => `/${name}`) : []
  const hides = [...without, ...system, ...(isHidden ? ['.git'] : [])]
  return [
    ...(isInRepository(root) ? [] : ['--no-require-git']),
    // Where there are none above, it need not match each path against them: a fifth of its time.
    ...(hasRulesAbove(root) ? [] : ['--no-ignore-parent']),
    ...(isHidden ? ['--hidden'] : []),
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
    // A type and not --glob: that one would bring back what ignore files have excluded.
    ...(names ? [...names.map((name) => `--type-add=nacre:${name}`), '--type=nacre'] : []),
    ...hides.map((glob) => `--glob=!${glob}`),
  ]
}

// Lines that are longer are cut in the result anyway.
const MAX_COLUMNS = 4_000

function outputArguments({ mode, isMultiline, before, after }: GrepQuestion): string[] {
  if (mode === 'files_with_matches') return ['--files-with-matches']
  if (mode === 'count') return ['--with-filename', isMultiline ? '--count-matches' : '--count']
  return [
    '--with-filename',
    '--heading',
    '--line-number',
    `--max-columns=${MAX_COLUMNS}`,
    '--max-columns-preview',
    `--before-context=${before}`,
    `--after-context=${after}`,
  ]
}

interface RipgrepRun {
  readonly ripgrep: string
  readonly cwd: string
  /** Open files that it gets, from the fourth descriptor on. */
  readonly descriptors?: readonly number[]
  readonly args: readonly string[]
  readonly signal: AbortSignal
}

// Nothing of the machine but its ignore files changes an answer.
const ALWAYS = ['--no-config', '--no-messages', '--no-ignore-messages', '--color=never', '--no-mmap', '--null']

/** Address space for ripgrep, in units of 1,024 bytes. It reads a line of an ignore file whole, however long that is. */
const MOST_MEMORY = 1_048_576
const SHELL = '/bin/sh'

/** The program with its limit of memory, where the system has one that can be set. */
function limited(ripgrep: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.platform !== 'linux' || !existsSync(SHELL)) return [ripgrep, args]
  return [SHELL, ['-c', `ulimit -v ${MOST_MEMORY} 2>/dev/null; exec "$0" "$@"`, ripgrep, ...args]]
}

const KILLED = 'RIPGREP_KILLED'

/** Whether ripgrep was ended by the system, as when it takes too much memory. */
export function wasKilled(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === KILLED
}

/**
 * Runs ripgrep in a folder and gives its output piece by piece. `take` answers false to stop it, and must not throw.
 * Resolves to what ripgrep complains of, if it does. Throws when the signal aborts: then the process is gone.
 */
async function runRipgrep(run: RipgrepRun, take: (piece: Buffer) => boolean): Promise<string | undefined> {
  const { ripgrep, cwd, args, signal, descriptors = [] } = run
  signal.throwIfAborted()
  const separator = process.platform === 'win32' ? ['--path-separator=/'] : []
  const [program, all] = limited(ripgrep, [...ALWAYS, ...separator, ...args])
  const child = spawn(program, all, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    windowsHide: true,
  })
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('ripgrep could not be started: its output can not be read')
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  let isStopped = false
  let complaint = ''
  stdout.on('data', (piece: Buffer) => {
    if (isStopped || take(piece)) return
    isStopped = true
    kill()
  })
  stderr.on('data', (piece: Buffer) => {
    if (complaint.length < 4_000) complaint += piece
  })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (isStopped || code === 0 || code === 1) return undefined
    // Files that can not be read give a code too, and no word.
    if (code === 126 || code === 127) throw new Error(`ripgrep could not be started: ${complaint.trim()}`)
    if (code === null) throw Object.assign(new Error('ripgrep was killed'), { code: KILLED })
    return complaint.trim() || undefined
  } finally {
    signal.removeEventListener('abort', kill)
  }
}
