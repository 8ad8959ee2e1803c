import type { Id } from '../log/entry.js'
import { estimateText } from '../tokens/estimate-text.js'
import { findIdentifiers } from './find-identifiers.js'

/** A text, and the entry it stands in. */
export interface AnchorSource {
  readonly entry: Id
  readonly text: string
}

interface Anchor {
  readonly name: string
  uses: number
  /** Where it was last seen: the entry, and how many identifiers came before. */
  entry: Id
  place: number
}

/**
 * An index of the exact identifiers in texts: the most used and the latest in turn, as many as fit into that many
 * tokens, by the entry that each was last seen in. Empty where nothing was found or nothing fits.
 */
export function anchors(sources: readonly AnchorSource[], budget: number): string {
  const found = gather(sources)
  const byUse = found.toSorted((a, b) => b.uses - a.uses || b.place - a.place)
  const byTime = found.toSorted((a, b) => b.place - a.place)
  const lines = new Map<Id, Anchor[]>()
  const taken = new Set<Anchor>()
  let left = budget
  for (const anchor of byUse.flatMap((each, index) => [each, byTime[index] as Anchor])) {
    if (taken.has(anchor)) continue
    const cost = estimateText(lines.has(anchor.entry) ? `, ${anchor.name}` : `\n[${anchor.entry}] ${anchor.name}`)
    if (cost > left) continue
    left -= cost
    taken.add(anchor)
    lines.set(anchor.entry, [...(lines.get(anchor.entry) ?? []), anchor])
  }
  return [...lines]
    .sort(([, a], [, b]) => (a[0] as Anchor).place - (b[0] as Anchor).place)
    .map(([entry, names]) => `[${entry}] ${names.map(({ name }) => name).join(', ')}`)
    .join('\n')
}

function gather(sources: readonly AnchorSource[]): Anchor[] {
  const known = new Map<string, Anchor>()
  let place = 0
  for (const { entry, text } of sources) {
    for (const name of findIdentifiers(text)) {
      const anchor = known.get(name) ?? { name, uses: 0, entry, place }
      anchor.uses += 1
      anchor.entry = entry
      anchor.place = place++
      known.set(name, anchor)
    }
  }
  return [...known.values()]
}
