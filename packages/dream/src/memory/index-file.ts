import { type Memory, oneLine } from './memory.js'

/** What of an index may stand in a prompt. */
const MOST_LINES = 200
const MOST_BYTES = 25_000
const LONGEST_LINE = 150

const POINTER = /^\s*[-*] \[([^\]\n]*)\]\(([^)\n]+)\)(.*)$/

/** The line of a memory, under 150 characters. */
export function indexLine({ name, path, description }: Pick<Memory, 'name' | 'path' | 'description'>): string {
  const title = oneLine(name).replace(/[[\]]/g, '')
  const head = `- [${shorten(title, 60)}](${path})`
  const room = LONGEST_LINE - 1 - [...head].length - 3
  const hook = oneLine(description)
  return hook === '' || room < 10 ? head : `${head} — ${shorten(hook, room)}`
}

/** The files that an index points to, in its order. */
export function pointersIn(index: string): readonly string[] {
  return index.split('\n').flatMap((line) => POINTER.exec(line)?.[2] ?? [])
}

export interface IndexEdits {
  /** Memories whose line is there afterwards, as it is now; new ones come to the end. */
  readonly put?: readonly Pick<Memory, 'name' | 'path' | 'description'>[]
  /** Files whose line is gone afterwards. */
  readonly take?: readonly string[]
}

/** An index with other lines. All that a person wrote between them stays. */
export function editIndex(index: string, { put = [], take = [] }: IndexEdits): string {
  const wanted = new Map(put.map((memory) => [memory.path, indexLine(memory)]))
  const gone = new Set(take)
  const seen = new Set<string>()
  const lines = index.split('\n').flatMap((line) => {
    const path = POINTER.exec(line)?.[2]
    if (path === undefined) return [line]
    if (seen.has(path) || (gone.has(path) && !wanted.has(path))) return []
    seen.add(path)
    return [wanted.get(path) ?? line]
  })
  const added = [...wanted].flatMap(([path, line]) => (seen.has(path) ? [] : [line]))
  const text = lines.join('\n').trimEnd()
  return `${[...(text === '' ? [] : [text]), ...added].join('\n')}\n`
}

/** A line of the index with what decides whether it stays when there is not room for all. */
export interface RankedLine {
  readonly line: string
  readonly isPinned: boolean
  readonly uses: number
  /** The day it was last confirmed or used. */
  readonly day: string
}

export interface ShownIndex {
  readonly lines: readonly string[]
  /** How many lines had no room. */
  readonly leftOut: number
}

/** As many lines as may stand in a prompt, in their order: what is least used and oldest is left out, never silently. */
export function fitIndex(lines: readonly RankedLine[], most = { lines: MOST_LINES, bytes: MOST_BYTES }): ShownIndex {
  const byWorth = lines
    .map((line, place) => ({ ...line, place }))
    .sort(
      (a, b) =>
        Number(b.isPinned) - Number(a.isPinned) || b.uses - a.uses || compare(b.day, a.day) || a.place - b.place,
    )
  const kept = new Set<number>()
  let bytes = 0
  for (const { line, place } of byWorth) {
    const size = Buffer.byteLength(line) + 1
    if (kept.size >= most.lines || bytes + size > most.bytes) continue
    bytes += size
    kept.add(place)
  }
  const shown = lines.filter((_, place) => kept.has(place)).map(({ line }) => line)
  return { lines: shown, leftOut: lines.length - shown.length }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function shorten(text: string, most: number): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const cut = letters.slice(0, most - 1).join('')
  const end = cut.lastIndexOf(' ')
  return `${end > most / 2 ? cut.slice(0, end) : cut}…`
}
