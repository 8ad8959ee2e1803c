import { columnsOf } from '../../text/columns-of.js'
import { padText } from './pad-text.js'
import { type Colour, paint } from './paint.js'
import { wrapText } from './wrap-text.js'

export interface DefinitionsOptions {
  readonly width: number
  readonly hasColour: boolean
  readonly colour?: Colour
}

/** A term that starts further right than this leaves too little room beside it. */
const WIDEST = 24

/** Terms with what they mean beside them, or below where there is little room. */
export function definitions(
  terms: readonly (readonly [term: string, meaning: string])[],
  { width, hasColour, colour = 'cyan' }: DefinitionsOptions,
): string[] {
  const widest = Math.min(WIDEST, Math.max(0, ...terms.map(([term]) => columnsOf(term))))
  const margin = width - widest - 2 >= 28 ? widest + 2 : 2
  return terms.flatMap(([term, meaning]) => {
    const lines = wrapText(meaning, width, margin)
    const fitsBeside = margin > 2 && columnsOf(term) <= widest
    const name = (text: string) => paint(text, colour, hasColour)
    if (!fitsBeside) return [...wrapText(term, width).map(name), ...lines]
    const [first = '', ...rest] = lines
    return [`${name(padText(term, widest))}  ${first.trimStart()}`.trimEnd(), ...rest]
  })
}
