import iconv from 'iconv-lite'
import { markOf, type TextFormat, textFormat } from './text-format.js'

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
