import type { Block, Round, View } from '@nacre/core'
import { shownBlocks } from './shown-blocks.js'

export interface Problem {
  readonly problem: string
}

const SHORTEST_ID = 4
const SHORTEST_QUOTE = 8

/**
 * The place of the round that a name means: an entry by its id or the beginning of it, a call by its id, or a message by
 * how it begins.
 */
export function findRound(view: View, name: string): number | Problem {
  const { rounds } = view
  const wanted = name.trim()
  if (wanted === '') return { problem: 'Nothing was named: give an id, or how a message begins.' }
  const exact = rounds.findIndex((round) => idsOf(round).includes(wanted))
  if (exact !== -1) return exact
  const found = placesOf(rounds, (round) => isShortId(wanted) && idsOf(round).some((id) => id.startsWith(wanted)))
  const begun = found.length > 0 ? found : placesOf(rounds, (round) => beginsWith(view, round, wanted))
  const [only] = begun
  if (only === undefined)
    return { problem: `Nothing in view is called '${shortened(wanted)}', and no message begins so.` }
  if (begun.length === 1) return only
  return { problem: `'${shortened(wanted)}' means ${begun.length} rounds: give more of it, or a whole id.` }
}

function placesOf(rounds: readonly Round[], matches: (round: Round) => boolean): number[] {
  return rounds.flatMap((round, index) => (matches(round) ? [index] : []))
}

function isShortId(name: string): boolean {
  return name.length >= SHORTEST_ID && !/\s/.test(name)
}

/** The ids by which a round is known: of its entries, of its calls, and of the ends of what was folded. */
function idsOf({ entries, span }: Round): string[] {
  const calls = entries.flatMap(({ content }) =>
    content.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])),
  )
  return [span.from, span.to, ...entries.map(({ id }) => id), ...calls]
}

function beginsWith(view: View, { entries }: Round, quote: string): boolean {
  const start = plain(quote.replace(/(…|\.\.\.)$/, ''))
  if (start.length < SHORTEST_QUOTE) return false
  return entries.some((entry) => shownBlocks(view, entry).some((block) => plain(textOf(block)).startsWith(start)))
}

function textOf(block: Block): string {
  return block.type === 'text' ? String(block.text) : ''
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name
}
