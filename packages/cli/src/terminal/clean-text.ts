import { stripVTControlCharacters } from 'node:util'

/**
 * What a terminal would obey, and what shows a text otherwise than it is: control characters, marks that turn the order
 * of letters around, and characters that take no place. Those that join letters of one sign stay.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Letters, lines and tabs only; character by character, so that a text may come in pieces. */
export function plainText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(UNSEEN, '')
}

/**
 * A text as it may stand on the screen: what models, tools, files and the names that strangers choose bring can not move
 * the cursor, change colours or turn the order of letters around.
 */
export function cleanText(text: string): string {
  return plainText(stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(/\t/g, '  '))
}
