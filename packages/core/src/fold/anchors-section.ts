import { estimateText } from '../tokens/estimate-text.js'
import { type AnchorSource, anchors, SEPARATOR } from './anchors.js'

const HEADING = 'Exact names of that part, each by the entry in which it was last seen:\n'
/** It was among the best of a fold before. */
const CHOSEN = 4
const LINE = /^\[([^\]\n]*)\] (.*)$/gm

/** The index of exact names with its heading, within that many tokens, without those that `known` has; empty where there are none. */
export function anchorsSection(sources: readonly AnchorSource[], budget: number, known = ''): string {
  const index = anchors(sources, budget - estimateText(HEADING), known)
  return index === '' ? '' : `${HEADING}${index}`
}

/** The lines of such a section, so that the next fold knows the entries behind them; none for any other text. */
export function readAnchors(section: string): AnchorSource[] {
  if (!section.startsWith(HEADING)) return []
  return [...section.matchAll(LINE)].flatMap(([, entry = '', line = '']) =>
    line.split(SEPARATOR).map((text) => ({ entry, text, weight: CHOSEN, isName: true as const })),
  )
}
