import { statSync } from 'node:fs'

/** Which files a question is about, as far as their paths tell. */
export interface FileFilter {
  /** The folder in which to begin: the part of the glob that has no wildcards. May be absolute, or climb. */
  readonly base: string
  readonly maxDepth?: number
  /** Whether names with a dot in front are asked for. */
  readonly isHidden: boolean
  /** Globs of file names that let through all that is wanted, and more: ripgrep spares itself the rest. */
  readonly names?: readonly string[]
  /** Globs of what ripgrep need not enter. */
  readonly without?: readonly string[]
  /** Takes a path relative to `base`. Left out where all are wanted. */
  readonly accepts?: (path: BytePath) => boolean
}

export type OutputMode = 'files_with_matches' | 'content' | 'count'

/** What Grep asks, of ripgrep or of the search in JavaScript: both give the same answer to the byte. */
export interface GrepQuestion {
  /** A folder without links in its path. */
  readonly root: string
  /** Where a program has to start to be in that folder, even if its path leads elsewhere by now; the root unless told. */
  readonly cwd?: string
  /** Somebody has judged the place: what is found counts only if it is found once more in files that are really there. */
  readonly isJudged?: boolean
  /** Only this file of the root, whatever the filter and the ignore files say. */
  readonly file?: BytePath
  readonly filter: FileFilter
  readonly pattern: string
  readonly mode: OutputMode
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
  readonly before: number
  readonly after: number
  /** How many entries, from the start, are needed: lines, or files. */
  readonly wanted: number
  /** Above so many bytes of results only the entries that are wanted are looked for. */
  readonly budget: number
}

/** The matches of one file. */
export interface FileMatches {
  readonly path: BytePath
  /** Lines as `12:text`, context as `13-text`, gaps as `--`, each with its line end; or a number; or nothing. */
  readonly body: Buffer
}

export interface GrepAnswer {
  /** In the order of paths, at least as many entries as were wanted if there are so many. */
  readonly found: readonly FileMatches[]
  /** How many entries there are, where all were looked for. */
  readonly total?: number
  /** What was passed over, and why. */
  readonly notes?: readonly string[]
}

/** How many entries the matches of a file are. */
export function entriesIn({ body }: FileMatches, mode: OutputMode): number {
  return mode === 'content' ? lineEnds(body) : 1
}

function lineEnds(body: Buffer): number {
  let count = 0
  for (let at = body.indexOf(10); at !== -1; at = body.indexOf(10, at + 1)) count += 1
  return count
}

/** The pattern is at fault; the message tells the model how. */
export function patternError(pattern: string, reason: string): Error {
  return new Error(`The pattern ${JSON.stringify(pattern)} does not parse. ${reason}`)
}

/** What Glob asks, of ripgrep or of the walk in JavaScript. */
export interface GlobQuestion {
  /** A folder without links in its path. */
  readonly root: string
  /** As in a question of Grep. */
  readonly cwd?: string
  readonly filter: FileFilter
  readonly limit: number
}

export interface GlobAnswer {
  /** Those changed last come first; of the same time, in the order of paths. */
  readonly paths: readonly BytePath[]
  readonly total: number
  readonly notes?: readonly string[]
}

/** Folders of the system that hold no files of anybody: a search of the whole disk leaves them out. */
export const SYSTEM_FOLDERS: readonly string[] = ['proc', 'sys', 'dev']

/**
 * A path as its bytes, one character for each: it sorts as ripgrep sorts, and a name that is not UTF-8 survives.
 * Folders are divided by '/'.
 */
export type BytePath = string

/** The bytes of a path, for the file system. */
export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1')
}

/** A path of text as a byte path. */
export function bytePath(text: string): BytePath {
  return isPlain(text) ? text : Buffer.from(text).toString('latin1')
}

/** The text of a byte path. Bytes that are not UTF-8 become replacement characters. */
export function pathText(path: BytePath): string {
  return isPlain(path) ? path : pathBytes(path).toString()
}

/** A key by which paths sort folder by folder, so that `a/b` stands before `a.b`. */
export function sortKey(path: BytePath): string {
  return path.replaceAll('/', '\0')
}

/** As people and models read it: quoted where a line end or another control character would mislead. */
export function shownPath(text: string): string {
  return /^\s|\s$|\p{Cc}/u.test(text) ? JSON.stringify(text) : text
}

function isPlain(path: string): boolean {
  return !/[^\0-\x7f]/.test(path)
}

interface DatedPath {
  readonly path: BytePath
  readonly key: string
  /** Of the last change, in nanoseconds. */
  readonly time: bigint
}

/** A file with the time of its last change, or nothing if it is gone. */
export function datedPath(root: string, path: BytePath): DatedPath | undefined {
  // Many thousand in a row: without a promise for each.
  const found = statSync(Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]), {
    bigint: true,
    throwIfNoEntry: false,
  })
  return found && { path, key: sortKey(path), time: found.mtimeNs }
}

/** Paths, those changed last first, and of the same time in the order of paths. */
export function newestFirst(dated: readonly DatedPath[]): BytePath[] {
  return dated.toSorted(compare).map(({ path }) => path)
}

function compare(one: DatedPath, other: DatedPath): number {
  if (one.time !== other.time) return one.time > other.time ? -1 : 1
  return one.key < other.key ? -1 : 1
}
