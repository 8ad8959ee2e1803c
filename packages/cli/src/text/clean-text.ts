import { stripVTControlCharacters } from 'node:util'

/**
 * A text as it may stand on the screen: what models, tools and files bring can not move the cursor, change colours or
 * turn the order of letters around.
 */
export function cleanText(text: string): string {
  return (
    stripVTControlCharacters(text)
      .replace(/\r\n?/g, '\n')
      .replace(/\t/g, '  ')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
  )
}
