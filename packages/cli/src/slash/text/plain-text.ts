import { stripVTControlCharacters } from 'node:util'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

/** Text of others without anything that a terminal would obey; line ends stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ')).replace(CONTROL, '')
}
