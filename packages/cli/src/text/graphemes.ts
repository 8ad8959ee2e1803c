let segmenter: Intl.Segmenter | undefined

/** What a person sees as single characters. */
export function graphemes(text: string): string[] {
  // Most text is plain, and a segmenter is slow, most of all to make: the first prompt does not wait for one.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
