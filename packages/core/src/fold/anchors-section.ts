import { estimateText } from '../tokens/estimate-text.js'
import { type AnchorSource, anchors } from './anchors.js'

const HEADING = 'Exact names of that part, each by the entry in which it was last seen:\n'
const LINE = /^\[([^\]\n]*)\] (.*)$/gm

/** The index of exact names with its heading, within that many tokens; empty where there are none. */
export function anchorsSection(sources: readonly AnchorSource[], budget: number): string {
  const index = anchors(sources, budget - estimateText(HEADING))
  return index === '' ? '' : `${HEADING}${index}`
}

/** The lines of such a section, so that the next fold knows the entries behind them; none for any other text. */
export function readAnchors(section: string): AnchorSource[] {
  if (!section.startsWith(HEADING)) return []
  return [...section.matchAll(LINE)].map(([, entry = '', text = '']) => ({ entry, text }))
}
