import { countBreaks } from '../text.js'

/** Bytes that the words around an excerpt take, about. */
const WORDS = 600
/** Bytes that one look at the rest is proposed to have. */
const PIECE = 20_000

/** Where a text is kept and how the model gets at it. */
interface StoredPlace {
  readonly blob: string
  /** Only where a file tool can read it. */
  readonly path?: string
  /** The tool that reads blobs, where the session has it. */
  readonly readTool?: string
}

/** What stands in the view for a text that is kept elsewhere, in about so many bytes: both ends, and how to see the rest. */
export function persistedOutput(text: string, place: StoredPlace, bytes: number): string {
  const excerpt = excerptOf(text, Math.max(0, bytes - WORDS))
  return [
    '<persisted-output>',
    `Too long to be shown whole: ${sizeOf(excerpt)}. ${seenIn(excerpt)}`,
    'Do not guess what you have not seen: read it where it matters, or say that you have not.',
    ...howToRead(excerpt, place),
    ...shownParts(excerpt),
    '</persisted-output>',
  ].join('\n')
}

/** The same where it could not be kept: the rest is lost, and the model has to know. */
export function cutOutput(text: string, reason: string, bytes: number): string {
  const excerpt = excerptOf(text, Math.max(0, bytes - WORDS))
  return [
    '<cut-output>',
    `Too long to be shown whole: ${sizeOf(excerpt)}. ${seenIn(excerpt)}`,
    `The part that you have not seen is LOST, since it could not be written to disk (${reason}).`,
    'Do not guess what it says: ask for less at a time where it matters, and tell the user that the disk needs attention.',
    ...shownParts(excerpt),
    '</cut-output>',
  ].join('\n')
}

function sizeOf({ bytes, lines }: Excerpt): string {
  return `${bytes} bytes in ${lines} ${lines === 1 ? 'line' : 'lines'}`
}

function seenIn(excerpt: Excerpt): string {
  const { head, tail, unseenBytes, isLineCut } = excerpt
  const what = `NOT SEEN: ${range(excerpt)}, bytes ${unseenBytes.from}-${unseenBytes.to}.`
  if (head + tail === '') return `You have seen nothing of it. ${what}`
  return `You have seen its two ends only. ${what}${isLineCut ? ' A long line is cut in the middle.' : ''}`
}

function howToRead(excerpt: Excerpt, { blob, path, readTool }: StoredPlace): string[] {
  const { bytes, lines, unseen, unseenBytes, isLineCut } = excerpt
  if (path === undefined && !readTool) return [`The whole is kept with the session as ${blob}, where no tool reads it.`]
  const name = JSON.stringify(blob)
  const limit = Math.max(1, Math.min(unseen.to - unseen.from + 1, Math.floor((PIECE * lines) / bytes)))
  const piece = `offset ${unseen.from} and limit ${limit}`
  const byLines = path
    ? `To see more: Read that file with ${piece}, or Grep it for a pattern.`
    : `To see more: ${readTool} with name ${name}, ${piece}, or with words to search for.`
  const byBytes = readTool
    ? `${readTool} with name ${name} and startByte ${unseenBytes.from}`
    : `run tail -c +${unseenBytes.from} ${JSON.stringify(path)} | head -c ${PIECE}`
  return [
    ...(path === undefined ? [] : [`The whole is in the file ${path}`]),
    ...(lines === 1 ? [] : [byLines]),
    ...(isLineCut || lines === 1 ? [`To see more of a long line: ${byBytes}.`] : []),
  ]
}

function shownParts(excerpt: Excerpt): string[] {
  const { head, tail, lines, unseen, unseenBytes, isLineCut } = excerpt
  if (head + tail === '') return []
  const bytes = isLineCut ? `, bytes ${unseenBytes.from}-${unseenBytes.to}` : ''
  const first = isLineCut ? 'The beginning:' : `Lines 1-${unseen.from - 1}:`
  const last = isLineCut ? 'The end:' : `Lines ${unseen.to + 1}-${lines}:`
  return [
    ...(head === '' ? [] : [first, harmless(head)]),
    `[... NOT SEEN: ${range(excerpt)}${bytes} ...]`,
    ...(tail === '' ? [] : [last, harmless(tail)]),
  ]
}

function range({ unseen: { from, to } }: Excerpt): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`
}

/** Output can not end the frame that it stands in. */
function harmless(text: string): string {
  return text.replace(/\n$/, '').replaceAll(/<\/(?=(persisted|cut)-output)/g, '<\\/')
}

/** The beginning and the end of a text, and what lies between them. Lines and bytes are counted from 1. */
interface Excerpt {
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
  return countBreaks(text) + (text === '' || text.endsWith('\n') ? 0 : 1)
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
