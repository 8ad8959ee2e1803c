const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a person sees as single characters. */
export function graphemes(text: string): string[] {
  // Most text is plain, and a segmenter is slow.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
