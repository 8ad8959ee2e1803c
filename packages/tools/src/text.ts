/** The beginning of a text, not cut in the middle of a character of two units. */
export function firstChars(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

/** The API takes no request with half of a pair in it. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/**
 * A text that can not close a tag of two words, such as `web-content`. Also with spaces, unseen characters and wide
 * brackets in it, which a model may read as the tag.
 */
export function withoutTag(text: string, first: string, second: string): string {
  const like = new RegExp(`[<\uff1c\ufe64](?=[\\s\\p{Cf}/]*${first}[\\s\\p{Cf}\\p{Pd}]*${second})`, 'giu')
  return text.replace(like, '&lt;')
}

/** How many line ends a text has. */
export function countBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
