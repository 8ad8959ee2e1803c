import type { Dirent } from 'node:fs'
import { type FileHandle, readdir } from 'node:fs/promises'
import { readUpTo } from '@nacre/core/node'
import { limitTime } from '../limit-time.js'
import { openBelow, reallyBelow } from './held-files.js'
import {
  childLevel,
  type IgnoreLevel,
  ignoreLevels,
  isInRepository,
  judgeByLevels,
  type PassOver,
} from './ignore-rules.js'
import {
  type BytePath,
  datedPath,
  entriesIn,
  type FileMatches,
  type GlobAnswer,
  type GlobQuestion,
  type GrepAnswer,
  type GrepQuestion,
  newestFirst,
  pathBytes,
  pathText,
  patternError,
  SYSTEM_FOLDERS,
  shownPath,
} from './search-question.js'
import { translatePattern } from './translate-pattern.js'

// A text of JavaScript has its limit not far above.
const MAX_FILE_BYTES = 256 * 1024 * 1024
/** Files of the kernel say that they have no size; some are short, and some never end. */
const MAX_UNSIZED_BYTES = 16 * 1024 * 1024
const MAX_FILE_TIME = 5_000

/** Searches without ripgrep, one file after the other in the order of their paths, and finds what ripgrep would. */
export async function scriptGrep(question: GrepQuestion, signal: AbortSignal): Promise<GrepAnswer> {
  const expression = expressionOf(question)
  const found: FileMatches[] = []
  const { notes, passOver } = noteBook()
  let total = 0
  let size = 0
  for await (const path of pathsOf(question, { signal, passOver })) {
    signal.throwIfAborted()
    const matches = await matchesIn(path, expression, question, passOver)
    if (!matches) continue
    found.push(matches)
    total += entriesIn(matches, question.mode)
    size += writtenBytes(matches, question)
    if (size > question.budget && total > question.wanted) return { found, notes }
  }
  return size > question.budget ? { found, notes } : { found, total, notes }
}

const MOST_NOTES = 5

/** What was passed over: the first few by name. */
function noteBook(): { readonly notes: readonly string[]; readonly passOver: PassOver } {
  const notes: string[] = []
  let more = 0
  return {
    notes,
    passOver(path, why) {
      if (notes.length < MOST_NOTES) notes.push(`[${shownPath(path)} was passed over: ${why}.]`)
      else notes[MOST_NOTES] = `[${++more} more were passed over.]`
    },
  }
}

type Walking = Pick<WalkOptions, 'signal' | 'passOver'>

function expressionOf(question: GrepQuestion): RegExp {
  try {
    return translatePattern(question.pattern, question)
  } catch (error) {
    throw patternError(question.pattern, (error as Error).message)
  }
}

async function* pathsOf({ root, file, filter }: GrepQuestion, walking: Walking): AsyncGenerator<BytePath> {
  if (file !== undefined) yield file
  else
    for await (const path of walkFiles(root, { ...filter, ...walking })) if (filter.accepts?.(path) ?? true) yield path
}

async function matchesIn(
  path: BytePath,
  expression: RegExp,
  question: GrepQuestion,
  passOver: PassOver,
): Promise<FileMatches | undefined> {
  const bytes = await bytesOf(question.root, path, (why) => passOver(`${question.root}/${pathText(path)}`, why))
  const text = bytes && decodeFile(bytes, question.mode === 'files_with_matches')
  if (text === undefined) return undefined
  // Ripgrep has no patterns that backtrack without end; here they must not hang the program.
  const body = limitTime(
    MAX_FILE_TIME,
    () => matchText(text, expression, question),
    () => tooSlow(path),
  )
  return body === undefined ? undefined : { path, body: Buffer.from(body) }
}

async function bytesOf(root: string, path: BytePath, passOver: (why: string) => void): Promise<Buffer | undefined> {
  // Gone, not to be read, or behind a link that has come in between.
  const file = await openBelow(root, path)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const most = size === 0 ? MAX_UNSIZED_BYTES : MAX_FILE_BYTES
    const isKnown = size > 0 && size <= most
    const bytes = isKnown ? await file.readFile() : size > most ? undefined : await readUpTo(file, most)
    if (!bytes) passOver(`it has more than ${most / 1024 / 1024} MB, the most that is searched without ripgrep`)
    return bytes
  } catch {
    // Passed over, as ripgrep does.
    return undefined
  } finally {
    await file.close()
  }
}

function tooSlow(path: BytePath): never {
  throw new Error(
    `The pattern takes too long in ${pathText(path)}. Without ripgrep, repetitions in repetitions as in (a+)+ are slow: simplify it.`,
  )
}

/** How many bytes ripgrep would write for it. */
function writtenBytes({ path, body }: FileMatches, { mode }: GrepQuestion): number {
  const heading = path.length + './\0'.length
  return mode === 'files_with_matches' ? heading : heading + body.length + 1
}

/** Answers Glob without ripgrep. */
export async function scriptGlob({ root, filter, limit }: GlobQuestion, signal: AbortSignal): Promise<GlobAnswer> {
  const dated = []
  const { notes, passOver } = noteBook()
  for await (const path of walkFiles(root, { ...filter, signal, passOver })) {
    const file = (filter.accepts?.(path) ?? true) ? datedPath(root, path) : undefined
    if (file) dated.push(file)
  }
  const newest = newestFirst(dated).slice(0, limit)
  const there = await reallyBelow(root, newest)
  return { paths: there, total: dated.length - newest.length + there.length, notes }
}

interface WalkOptions {
  /** Whether names that begin with a dot are walked, `.git` never. */
  readonly isHidden: boolean
  readonly maxDepth?: number
  readonly signal: AbortSignal
  readonly passOver: PassOver
}

/** The files that ripgrep would look into, relative to the root and in the order of their paths. Links are not followed. */
async function* walkFiles(root: string, options: WalkOptions): AsyncGenerator<BytePath> {
  const { isHidden, maxDepth = Number.POSITIVE_INFINITY, signal, passOver } = options
  const isWithinGit = isInRepository(root)
  const base = root.endsWith('/') ? root : `${root}/`
  yield* walk('', 1, ignoreLevels(root, isWithinGit, passOver))

  async function* walk(path: BytePath, depth: number, above: IgnoreLevel): AsyncGenerator<BytePath> {
    signal.throwIfAborted()
    const entries = await entriesOf(Buffer.concat([Buffer.from(base), pathBytes(path)]))
    const names = new Set(entries.map(({ name }) => name.toString('latin1')))
    const level = path === '' ? above : childLevel(`${base}${pathText(path)}`, names, above, isWithinGit)
    for (const entry of entries) {
      const child = `${path}${entry.name.toString('latin1')}`
      const isFolder = entry.isDirectory()
      if (!(isFolder || entry.isFile()) || isSkipped(entry.name.toString('latin1'), child, isFolder, level)) continue
      if (!isFolder) yield child
      else if (depth < maxDepth) yield* walk(`${child}/`, depth + 1, level)
    }
  }

  function isSkipped(name: string, child: BytePath, isFolder: boolean, level: IgnoreLevel): boolean {
    if ((isHidden && name === '.git') || (root === '/' && SYSTEM_FOLDERS.includes(child))) return true
    const verdict = judgeByLevels(level, `${base}${pathText(child)}`, isFolder)
    return verdict === 'skip' || (verdict === undefined && !isHidden && name.startsWith('.'))
  }
}

async function entriesOf(folder: Buffer): Promise<Dirent<Buffer>[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
    return entries.sort((one, other) => Buffer.compare(one.name, other.name))
  } catch {
    // A folder that can not be read has nothing to find, as with ripgrep.
    return []
  }
}

/** Lines of a text that match, by their numbers from 0, and how often the pattern was found. */
interface Matches {
  readonly lines: readonly number[]
  readonly count: number
}

/** What Grep has to say of one text, as ripgrep writes it, or nothing where there is no match. */
function matchText(text: string, expression: RegExp, question: GrepQuestion): string | undefined {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const isFirstEnough = question.mode === 'files_with_matches'
  const matches = question.isMultiline
    ? overLines(text, expression, isFirstEnough)
    : byLine(lines, expression, isFirstEnough)
  if (matches.count === 0) return undefined
  if (question.mode === 'content') return writtenLines(lines, matches.lines, question)
  return isFirstEnough ? '' : String(matches.count)
}

function byLine(lines: readonly string[], expression: RegExp, isFirstEnough: boolean): Matches {
  const found: number[] = []
  for (const [number, line] of lines.entries()) {
    expression.lastIndex = 0
    // A carriage return belongs to the line end.
    if (!expression.test(line.endsWith('\r') ? line.slice(0, -1) : line)) continue
    found.push(number)
    if (isFirstEnough) break
  }
  return { lines: found, count: found.length }
}

function overLines(text: string, expression: RegExp, isFirstEnough: boolean): Matches {
  const found = new Set<number>()
  let count = 0
  let line = 0
  let lineStart = 0
  let last = -1
  for (const { 0: match, index } of text.matchAll(expression)) {
    // Behind the last line end, and in an empty text, there is no line to match.
    if (index === text.length && (text === '' || text.endsWith('\n'))) break
    // Nothing, right behind a match, is no match of its own.
    if (match === '' && index === last) continue
    last = index + match.length
    for (let end = text.indexOf('\n', lineStart); end !== -1 && end < index; end = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = end + 1
    }
    count += 1
    const inside = match.replace(/\n$/, '').split('\n').length
    for (let at = 0; at < inside; at++) found.add(line + at)
    if (isFirstEnough) break
  }
  return { lines: [...found], count }
}

function writtenLines(lines: readonly string[], matching: readonly number[], { before, after }: GrepQuestion): string {
  const isMatch = new Set(matching)
  const shown = new Set<number>()
  for (const number of matching) {
    const last = Math.min(lines.length - 1, number + after)
    for (let at = Math.max(0, number - before); at <= last; at++) shown.add(at)
  }
  let previous: number | undefined
  const hasGaps = before > 0 || after > 0
  const body = [...shown].map((number) => {
    const gap = hasGaps && previous !== undefined && number > previous + 1 ? '--\n' : ''
    previous = number
    return `${gap}${number + 1}${isMatch.has(number) ? ':' : '-'}${lines[number]}\n`
  })
  return body.join('')
}

const UTF16LE = Buffer.from([0xff, 0xfe])
const UTF16BE = Buffer.from([0xfe, 0xff])
const UTF8 = Buffer.from([0xef, 0xbb, 0xbf])

/** Bytes in which ripgrep looks for a NUL before it searches. */
const LOOKED_AT = 65_536

/**
 * The text of a file as ripgrep reads it: by its byte order mark, else UTF-8. Nothing for a binary file, which has a NUL.
 * Who only wants the first match meets a NUL late in a file not at all: with `isPartEnough` the text before it counts.
 */
function decodeFile(bytes: Buffer, isPartEnough = false): string | undefined {
  const text = decoded(bytes)
  const end = text.indexOf('\0')
  if (end === -1) return text
  return isPartEnough && end > LOOKED_AT ? text.slice(0, end) : undefined
}

function decoded(bytes: Buffer): string {
  if (bytes.subarray(0, 2).equals(UTF16LE)) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes.subarray(0, 2).equals(UTF16BE)) return new TextDecoder('utf-16be').decode(bytes)
  return bytes.subarray(0, 3).equals(UTF8) ? bytes.toString('utf8', 3) : bytes.toString()
}

/** Whether an open file is none of text, as ripgrep sees it: by a NUL in its first part. */
export async function isBinaryFile(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0)
  return decodeFile(buffer.subarray(0, bytesRead)) === undefined
}
