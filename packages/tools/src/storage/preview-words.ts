import { type Excerpt, excerptOf } from './excerpt.js'

/** Bytes that the words around an excerpt take, about. */
const WORDS = 600
/** Bytes that one look at the rest is proposed to have. */
const PIECE = 20_000

/** Where a text is kept and how the model gets at it. */
export interface StoredPlace {
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
