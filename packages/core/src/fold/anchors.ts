import { estimateText } from '../tokens/estimate.js'
import type { Id } from '../types/log.js'
import { findIdentifiers } from './find-identifiers.js'

/** A text, and the entry it stands in. */
export interface AnchorSource {
  readonly entry: Id
  readonly text: string
  /** How much a use in it counts; 1 unless told. What was said or done with a name counts more than where it was seen. */
  readonly weight?: number
  /** The text is a name of an index before this one. */
  readonly isName?: true
}

/** Stands between names, and in none. */
const SEPARATOR = ' | '

interface Anchor {
  readonly name: string
  uses: number
  /** The entry it was last seen in. */
  entry: Id
  /** How many texts came since then, and how many names of its own text tell more. */
  age: number
  place: number
}

/**
 * An index of the exact identifiers in texts: the most used and the latest in turn, as many as fit into that many
 * tokens, by the entry that each was last seen in. What stands in `known` is left out. Empty where nothing is left.
 */
export function anchors(sources: readonly AnchorSource[], budget: number, known = ''): string {
  const ids = new Set(sources.map(({ entry }) => entry))
  const short = shortIds(ids)
  const found = gather(sources).filter(({ name }) => !ids.has(name))
  const byUse = found.toSorted((a, b) => b.uses - a.uses || b.place - a.place)
  const byTime = found.toSorted((a, b) => a.age - b.age || b.place - a.place)
  const lines = new Map<Id, Anchor[]>()
  const shown = new Set(findIdentifiers(known))
  let left = budget
  for (const anchor of byUse.flatMap((each, index) => [each, byTime[index] as Anchor])) {
    const line = lines.get(anchor.entry)
    const cost = estimateText(line ? SEPARATOR + anchor.name : `\n[${short(anchor.entry)}] ${anchor.name}`)
    if (cost > left || shown.has(anchor.name)) continue
    left -= cost
    shown.add(anchor.name)
    lines.set(anchor.entry, [...(line ?? []), anchor])
  }
  return [...lines]
    .sort(([, a], [, b]) => (a[0] as Anchor).place - (b[0] as Anchor).place)
    .map(([entry, names]) => `[${short(entry)}] ${names.map(({ name }) => name).join(SEPARATOR)}`)
    .join('\n')
}

interface Found {
  readonly source: AnchorSource
  /** How often each name occurs in it. */
  readonly counts: ReadonlyMap<string, number>
  /** How many names of each form it has. */
  readonly kin: ReadonlyMap<string, number>
}

/**
 * Names of one form in one text share one use, and forms that are everywhere count less: a name among many like it is a
 * line of a list, and tells little.
 */
function gather(sources: readonly AnchorSource[]): Anchor[] {
  const all = sources.map(search)
  const common = count(all.flatMap(({ counts }) => [...counts.keys()].map(nameForm)))
  const known = new Map<string, Anchor>()
  let place = 0
  for (const [index, { source, counts, kin }] of all.entries()) {
    const { entry, weight = 1 } = source
    const worth = (name: string) => {
      const form = nameForm(name)
      const uses = 1 + Math.log2(counts.get(name) as number)
      return (weight * uses) / (kin.get(form) as number) / Math.log2(1 + (common.get(form) as number))
    }
    const ranked = [...counts.keys()].map((name) => ({ name, worth: worth(name) })).sort((a, b) => b.worth - a.worth)
    for (const [rank, each] of ranked.entries()) {
      const anchor = known.get(each.name) ?? { name: each.name, uses: 0, entry, age: 0, place }
      anchor.uses += each.worth
      anchor.entry = entry
      anchor.place = place++
      anchor.age = sources.length - index + rank
      known.set(each.name, anchor)
    }
  }
  return [...known.values()]
}

function search(source: AnchorSource): Found {
  const counts = count(source.isName ? [source.text] : findIdentifiers(source.text))
  return { source, counts, kin: count([...counts.keys()].map(nameForm)) }
}

function count(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

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

const SHORTEST = 8

/** Ids cut as short as tells them apart: in an index of names they would take more room than the names. */
function shortIds(ids: ReadonlySet<Id>): (id: Id) => string {
  let length = SHORTEST
  while (new Set([...ids].map((id) => id.slice(0, length))).size < ids.size) length += 1
  return (id) => id.slice(0, length)
}

const PART = /[A-Za-z_$]+|\d+/g
const REPEATED = /([a0]+[^a0]{1,2})\1+/g

/** The form of a name without its words and numbers: names that one rule made have the same, however many parts. */
function nameForm(name: string): string {
  // What an error says is told apart by its words, and is a sentence whatever they are.
  if (/[A-Za-z]{3}.* .*[A-Za-z]{3}/.test(name)) return ' '
  return name.replace(PART, (part) => (/\d/.test(part) ? '0' : 'a')).replace(REPEATED, '$1')
}
