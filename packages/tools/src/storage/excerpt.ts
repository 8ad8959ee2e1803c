/** The beginning and the end of a text, and what lies between them. Lines and bytes are counted from 1. */
export interface Excerpt {
  readonly head: string
  readonly tail: string
  readonly bytes: number
  readonly lines: number
  /** Lines that are not shown, or not whole. */
  readonly unseen: { readonly from: number; readonly to: number }
  readonly unseenBytes: { readonly from: number; readonly to: number }
  /** Whether a line was longer than the room for it, so that a part of it is shown. */
  readonly isLineCut: boolean
}

const HEAD = 0.6
/** Longer than characters are. */
const MARGIN = 100

/** Bytes that a unit of a string may take. */
const WIDEST = 3

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Shows both ends of a text in so many bytes: whole lines, or whole characters where a line is longer than that. */
export function excerptOf(text: string, bytesAtMost: number): Excerpt {
  const room = Math.min(bytesAtMost, text.length * WIDEST)
  const headRoom = Math.floor(room * HEAD)
  const head = wholeLinesOfStart(startWithin(text, headRoom))
  const rest = text.slice(head.length)
  const end = endWithin(rest, room - headRoom)
  const tail = wholeLinesOfEnd(rest, end)
  const bytes = Buffer.byteLength(text)
  const lines = countLines(text)
  const before = head.endsWith('\n') ? countLines(head) : 0
  const isTailWhole = tail === '' || rest.length === tail.length || rest.charAt(rest.length - tail.length - 1) === '\n'
  const after = isTailWhole ? countLines(tail) : 0
  return {
    head,
    tail,
    bytes,
    lines,
    unseen: { from: before + 1, to: lines - after },
    unseenBytes: { from: Buffer.byteLength(head) + 1, to: bytes - Buffer.byteLength(tail) },
    isLineCut: (head !== '' && before === 0) || !isTailWhole,
  }
}

/** How many lines a text has; what follows the last line end is one if there is anything. */
export function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return text === '' || text.endsWith('\n') ? lines : lines + 1
}

function wholeLinesOfStart(start: string): string {
  const end = start.lastIndexOf('\n')
  return end < 0 ? start : start.slice(0, end + 1)
}

function wholeLinesOfEnd(text: string, end: string): string {
  if (end.length === text.length || text.charAt(text.length - end.length - 1) === '\n') return end
  const lines = end.slice(end.indexOf('\n') + 1)
  return end.includes('\n') && lines !== '' ? lines : end
}

function startWithin(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes))
  return text.slice(0, characterAt(text, read).from)
}

function endWithin(text: string, bytes: number): string {
  if (bytes === 0) return ''
  const encoded = Buffer.from(text.slice(-bytes))
  let start = Math.max(0, encoded.length - bytes)
  while (((encoded[start] ?? 0) & 0xc0) === 0x80) start += 1
  const length = encoded.subarray(start).toString().length
  const { from, to } = characterAt(text, text.length - length)
  return text.slice(from === text.length - length ? from : to)
}

/** The character that stands at a place, which may be in the middle of it. Looks at its surroundings only. */
function characterAt(text: string, place: number): { readonly from: number; readonly to: number } {
  const start = Math.max(0, place - MARGIN)
  const found = characters.segment(text.slice(start, place + MARGIN)).containing(place - start)
  if (!found) return { from: place, to: place }
  return { from: start + found.index, to: start + found.index + found.segment.length }
}
