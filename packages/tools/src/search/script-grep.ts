import { readFile, stat } from 'node:fs/promises'
import { limitTime } from '../limit-time.js'
import { type BytePath, pathBytes, pathText } from './byte-path.js'
import { decodeFile } from './decode-file.js'
import { entriesIn, type FileMatches, type GrepAnswer, type GrepQuestion, patternError } from './grep-question.js'
import { matchText } from './match-text.js'
import { translatePattern } from './translate-pattern.js'
import { walkFiles } from './walk-files.js'

// A text of JavaScript has its limit not far above.
const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_FILE_TIME = 5_000

/** Searches without ripgrep, one file after the other in the order of their paths, and finds what ripgrep would. */
export async function scriptGrep(question: GrepQuestion, signal: AbortSignal): Promise<GrepAnswer> {
  const expression = expressionOf(question)
  const found: FileMatches[] = []
  let total = 0
  let size = 0
  for await (const path of pathsOf(question, signal)) {
    const matches = await matchesIn(path, expression, question)
    if (!matches) continue
    found.push(matches)
    total += entriesIn(matches, question.mode)
    size += written(matches, question)
    if (size > question.budget && total > question.wanted) return { found }
  }
  return size > question.budget ? { found } : { found, total }
}

function expressionOf(question: GrepQuestion): RegExp {
  try {
    return translatePattern(question.pattern, question)
  } catch (error) {
    throw patternError(question.pattern, (error as Error).message)
  }
}

async function* pathsOf({ root, file, filter }: GrepQuestion, signal: AbortSignal): AsyncGenerator<BytePath> {
  if (file !== undefined) yield file
  else for await (const path of walkFiles(root, { ...filter, signal })) if (filter.accepts?.(path) ?? true) yield path
}

async function matchesIn(path: BytePath, expression: RegExp, question: GrepQuestion): Promise<FileMatches | undefined> {
  const bytes = await bytesOf(Buffer.concat([Buffer.from(`${question.root}/`), pathBytes(path)]))
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

async function bytesOf(path: Buffer): Promise<Buffer | undefined> {
  try {
    return (await stat(path)).size <= MAX_FILE_BYTES ? await readFile(path) : undefined
  } catch {
    // Gone, or not to be read: passed over, as ripgrep does.
    return undefined
  }
}

function tooSlow(path: BytePath): never {
  throw new Error(
    `The pattern takes too long in ${pathText(path)}. Without ripgrep, repetitions in repetitions as in (a+)+ are slow: simplify it.`,
  )
}

/** How many bytes ripgrep would write for it. */
function written({ path, body }: FileMatches, { mode }: GrepQuestion): number {
  const heading = path.length + './\0'.length
  return mode === 'files_with_matches' ? heading : heading + body.length + 1
}
