import { isUtf8 } from 'node:buffer'
import { basename, dirname } from 'node:path'
import { diffArrays } from 'diff'
import iconv from 'iconv-lite'
import { hashOf } from '../hash.js'
import { firstChars } from '../text.js'
import { type FileBytes, fileBytes, inFolder } from './file-access.js'

/**
 * What is at a real path that was found earlier; `undefined` when it is gone, or leads elsewhere by now. Throws for what is
 * no file, or larger than `most` bytes.
 */
export async function bytesAt(path: string, signal?: AbortSignal, most?: number): Promise<FileBytes | undefined> {
  return inFolder(dirname(path), false, async (folder) => {
    if (folder.path !== dirname(path)) return undefined
    return fileBytes({ folder, name: basename(path), path }, signal, most)
  })
}

/** Names the content of a file. */
export function fileHash(bytes: Buffer): string {
  return hashOf(bytes, 32)
}

/** The text of a file, with its line ends as they are, and how it is kept. */
export interface TextFile {
  readonly text: string
  readonly format: TextFormat
}

/** The text in the bytes of a file; `undefined` when they are no text. */
export function decodeText(bytes: Buffer): TextFile | undefined {
  const format = textFormat(bytes)
  if (!format) return undefined
  const body = bytes.subarray(markOf(format).length)
  return { text: iconv.decode(body, format.encoding, { stripBOM: false }), format }
}

/** The bytes for a text. Throws where the encoding has no place for a character. */
export function encodeText({ text, format }: TextFile): Buffer {
  const body = iconv.encode(text, format.encoding, { addBOM: false })
  if (format.encoding === 'latin1') {
    const foreign = [...text].find((character) => (character.codePointAt(0) ?? 0) > 255)
    if (foreign) throw new Error(`The file is kept in latin1, which has no '${foreign}'. Write it in another way.`)
  }
  return Buffer.concat([markOf(format), body])
}

/** Whether the bytes come back from the text: a mark may promise an encoding that what follows does not keep to. */
export function isFaithful(file: TextFile, bytes: Buffer): boolean {
  return file.format.encoding === 'latin1' || encodeText(file).equals(bytes)
}

/** How the text of a file is kept on disk. */
interface TextFormat {
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be' | 'latin1'
  readonly hasMark: boolean
}

const MARKS: readonly (readonly [TextFormat['encoding'], readonly number[]])[] = [
  ['utf8', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
]
const LOOKED_AT_BYTES = 8_192
/** A text may have a few control characters, say in escape sequences; more than that is data. */
const CONTROLS = 0.1

/** The mark with which a text of that format begins on disk. */
export function markOf({ encoding, hasMark }: TextFormat): Buffer {
  const mark = MARKS.find(([name]) => name === encoding)?.[1] ?? []
  return Buffer.from(hasMark ? mark : [])
}

/** Finds out how a text is kept; `undefined` when the bytes are no text. */
export function textFormat(bytes: Buffer): TextFormat | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (marked) return { encoding: marked[0], hasMark: true }
  const head = bytes.subarray(0, LOOKED_AT_BYTES)
  if (head.includes(0)) return wideFormat(head)
  if (head.filter(isControl).length > head.length * CONTROLS) return undefined
  return { encoding: isUtf8(bytes) ? 'utf8' : 'latin1', hasMark: false }
}

/** Text of two bytes a character without a mark has its zeros at every other place. */
function wideFormat(head: Buffer): TextFormat | undefined {
  const zeros = [0, 0]
  head.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const isMost = (count: number) => count > head.length * 0.3
  if (head.length % 2 !== 0) return undefined
  if (isMost(odd) && even === 0) return { encoding: 'utf16le', hasMark: false }
  if (isMost(even) && odd === 0) return { encoding: 'utf16be', hasMark: false }
  return undefined
}

function isControl(byte: number): boolean {
  return byte < 32 && (byte < 8 || byte > 13) && byte !== 27
}

type LineEnd = '\n' | '\r\n'

/** The text with every line end as `\n`. */
export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

/** The line end that most lines of a text have. */
export function commonEnd(text: string): LineEnd {
  const { wide, all } = countEnds(text)
  return wide * 2 > all ? '\r\n' : '\n'
}

/**
 * A new text for an old one: lines that are in both keep their ends, the others get `common`. `old` has its ends as
 * they are on disk, `text` has `\n`.
 */
export function withEnds(old: string, text: string, common: LineEnd): string {
  const { wide, all } = countEnds(old)
  if (wide === 0 && common === '\n') return text
  if (wide === all && common === '\r\n') return text.replaceAll('\n', '\r\n')
  const before = toLf(old).split('\n')
  const ends = old.match(/\r?\n/g) ?? []
  const after = text.split('\n')
  const kept = keptLines(before, after)
  return after.map((line, index) => line + endOf(index)).join('')

  function endOf(index: number): string {
    if (index === after.length - 1) return ''
    return ends[kept.get(index) ?? -1] ?? common
  }
}

/** Texts that differ in more lines than this have little in common, and to compare them would take minutes. */
const MOST_CHANGED_LINES = 2_000

/** For the lines of a new text that were in the old one: where. None where the two differ too much. */
function keptLines(before: string[], after: string[]): ReadonlyMap<number, number> {
  const kept = new Map<number, number>()
  const [from, to] = [{ line: 0 }, { line: 0 }]
  const changes = diffArrays(before, after, { maxEditLength: MOST_CHANGED_LINES }) ?? []
  for (const { added, removed, count: lines } of changes) {
    if (!added && !removed) for (let line = 0; line < lines; line++) kept.set(to.line + line, from.line + line)
    if (!added) from.line += lines
    if (!removed) to.line += lines
  }
  return kept
}

function countEnds(text: string): { readonly wide: number; readonly all: number } {
  let [wide, all] = [0, 0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all += 1
    if (text[at - 1] === '\r') wide += 1
  }
  return { wide, all }
}

const NUMBER_WIDTH = 6
const MOST_CHARACTERS_OF_LINE = 2_000

/** Lines with their numbers before them; very long ones are cut, and say so. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH)}\t${shortLine(line)}`).join('\n')
}

function shortLine(line: string): string {
  if (line.length <= MOST_CHARACTERS_OF_LINE) return line
  return `${firstChars(line, MOST_CHARACTERS_OF_LINE)} … [the line goes on: ${line.length} characters in all]`
}

/** `1 line`, `2 lines`. */
export function formatLines(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}
