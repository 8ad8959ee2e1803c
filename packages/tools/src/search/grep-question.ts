import type { BytePath } from './byte-path.js'
import type { FileFilter } from './file-filter.js'

export type OutputMode = 'files_with_matches' | 'content' | 'count'

/** What Grep asks, of ripgrep or of the search in JavaScript: both give the same answer to the byte. */
export interface GrepQuestion {
  /** A folder without links in its path. */
  readonly root: string
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
