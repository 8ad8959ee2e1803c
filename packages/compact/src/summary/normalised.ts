/** A text with its white space alike, to tell whether one quotes another. */
export function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
