import type { Projection } from '../view/projection.js'

/** Responses since the last fold in force, or since the beginning. */
export function turnsSinceFold({ timeline, alive }: Projection): number {
  const isFold = ({ entry }: (typeof timeline.edits)[number]) =>
    alive().has(entry.id) && entry.changes.some(({ kind }) => kind === 'fold')
  const start = timeline.edits.findLast(isFold)?.ordinal ?? -1
  let turns = 0
  for (let index = timeline.rounds.length - 1; index >= 0; index--) {
    const responses = timeline.rounds[index]?.entries.filter(({ kind }) => kind === 'assistant') ?? []
    const since = responses.filter(({ id }) => (timeline.place(id)?.ordinal ?? 0) > start)
    turns += since.length
    if (since.length < responses.length) break
  }
  return turns
}
