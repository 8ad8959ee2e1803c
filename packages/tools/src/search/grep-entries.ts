import { pathText, shownPath } from './byte-path.js'
import type { FileMatches, OutputMode } from './grep-question.js'
import type { PageEntry } from './result-page.js'

const MAX_LINE_CHARS = 500

export interface EntryOptions {
  readonly mode: OutputMode
  readonly prefix: string
  readonly hasNumbers: boolean
}

/** What was found, entry by entry, as the model reads it. */
export function* grepEntries(found: readonly FileMatches[], options: EntryOptions): Generator<PageEntry> {
  for (const { path, body } of found) {
    const shown = shownPath(`${options.prefix}${pathText(path)}`)
    if (options.mode === 'files_with_matches') yield { text: shown }
    else if (options.mode === 'count') yield { text: `${shown}:${body}` }
    else for (const line of linesOf(body)) yield { text: shownLine(line, options.hasNumbers), heading: shown }
  }
}

function* linesOf(body: Buffer): Generator<string> {
  for (let at = 0, end = body.indexOf(10); end !== -1; at = end + 1, end = body.indexOf(10, at)) {
    yield body.toString('utf8', at, end)
  }
}

function shownLine(line: string, hasNumber: boolean): string {
  const text = (hasNumber ? line : line.replace(/^\d+[:-]/, '')).replace(/\r$/, '')
  if (text.length <= MAX_LINE_CHARS) return text
  // Not in the middle of a character of two units.
  return `${text.slice(0, MAX_LINE_CHARS).replace(/[\ud800-\udbff]$/, '')} [… line cut]`
}
