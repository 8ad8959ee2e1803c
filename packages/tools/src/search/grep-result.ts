import { firstChars } from '../text.js'
import {
  type BytePath,
  type FileMatches,
  type GrepAnswer,
  type GrepQuestion,
  type OutputMode,
  pathText,
  shownPath,
} from './search-question.js'

interface EntryOptions {
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

const MAX_LINE_CHARS = 500

function shownLine(line: string, hasNumber: boolean): string {
  const text = (hasNumber ? line : line.replace(/^\d+[:-]/, '')).replace(/\r$/, '')
  return text.length > MAX_LINE_CHARS ? `${firstChars(text, MAX_LINE_CHARS)} [… line cut]` : text
}

/** A list that is shown in parts. */
interface Page {
  /** What one entry is called, and more of them. */
  readonly unit: 'file' | 'line'
  readonly offset: number
  readonly limit: number
  readonly maxChars: number
  /** Where all were counted. */
  readonly total: number | undefined
}

interface PageEntry {
  readonly text: string
  /** Stands above the first entry of a group. */
  readonly heading?: string
}

// Room for the words below the list.
const FOOTER_CHARS = 200

/** The entries of one page, with a line below that says what is left and how to get it. */
export function resultPage(entries: Iterable<PageEntry>, page: Page): string {
  const { offset, limit } = page
  const lines: string[] = []
  let seen = 0
  let taken = 0
  let room = page.maxChars - FOOTER_CHARS
  let heading: string | undefined
  for (const entry of entries) {
    seen += 1
    if (seen <= offset) continue
    const added =
      entry.heading !== heading && entry.heading !== undefined ? [...(lines.length > 0 ? [''] : []), entry.heading] : []
    const size = [...added, entry.text].reduce((sum, line) => sum + line.length + 1, 0)
    if (taken === limit || (size > room && taken > 0)) return [...lines, '', footer(page, taken)].join('\n')
    lines.push(...added, entry.text)
    heading = entry.heading
    room -= size
    taken += 1
  }
  if (taken === 0) return `There are only ${seen} ${page.unit}s: nothing from offset ${offset} on.`
  return offset > 0 ? [...lines, '', footer(page, taken)].join('\n') : lines.join('\n')
}

function footer({ unit, offset, total }: Page, taken: number): string {
  const range = `${unit === 'file' ? 'Files' : 'Lines'} ${offset + 1}-${offset + taken}`
  const end = offset + taken
  if (total !== undefined && end >= total) return `[${range} of ${total}.]`
  const rest = total === undefined ? 'there are more' : `${total - end} more`
  return `[${range}${total === undefined ? '' : ` of ${total}`}; ${rest}. Narrow the search, or go on with offset ${end}.]`
}

type Ask = (question: GrepQuestion) => Promise<GrepAnswer>

/**
 * The answer without files that nobody may read. To judge each file that matches would take long, so only those that
 * are wanted are judged; where one of them is hidden all are, since it must not take the place of another file. A total
 * that counts files that nobody has judged is not told.
 */
export async function withoutHidden(
  ask: Ask,
  question: GrepQuestion,
  hides: (path: BytePath) => boolean,
): Promise<GrepAnswer> {
  const { filter, mode, wanted } = question
  const answer = await ask(question)
  const { found, total, notes } = answer
  const judged = mode === 'files_with_matches' ? found.slice(0, wanted) : found
  if (judged.some(({ path }) => hides(path))) {
    const accepts = (path: BytePath) => (filter.accepts?.(path) ?? true) && !hides(path)
    return ask({ ...question, filter: { ...filter, accepts } })
  }
  return mode === 'files_with_matches' && total !== judged.length ? { found: judged, ...(notes && { notes }) } : answer
}
