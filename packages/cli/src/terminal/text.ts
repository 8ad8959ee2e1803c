import stringWidth from 'string-width'

/** Above this, a text is measured piece by piece: see `graphemes`. */
const LONG = 1_000

/** Columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  if (text.length <= LONG) return stringWidth(text)
  return graphemes(text).reduce((sum, grapheme) => sum + columnsOfOne(grapheme), 0)
}

function columnsOfOne(grapheme: string): number {
  return grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~' ? 1 : stringWidth(grapheme)
}

let segmenter: Intl.Segmenter | undefined

/** A segmenter takes the square of the time for a text that is twice as long, so it is given one in pieces. */
const PIECE = 1_000

/** What a person sees as single characters. */
export function graphemes(text: string): string[] {
  // Most text is plain, and a segmenter is slow, most of all to make: the first prompt does not wait for one.
  if (/^[\n\x20-\x7e]*$/.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at)
    const parts = Array.from(segmenter.segment(piece), ({ segment }) => segment)
    // The last one may go on behind the piece.
    const whole = at + piece.length < text.length && parts.length > 1 ? parts.slice(0, -1) : parts
    for (const part of whole) {
      found.push(part)
      at += part.length
    }
  }
  return found
}

/** No half of a letter at its end, which would count as a character of its own. */
function pieceAt(text: string, at: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(at + PIECE - 1))
  return text.slice(at, at + PIECE + (isHalf ? 1 : 0))
}
