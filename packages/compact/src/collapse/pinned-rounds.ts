import type { Edit, Id, Round, SessionStore, Span, View } from '@nacre/core'
import { wholeLog } from '../recall/whole-log.js'

/** Tells the rounds of a view that a person has brought back: below an overflow nothing may fold them. */
export type PinnedRounds = (view: View) => Promise<(round: Round) => boolean>

/** Reads the log only after an undo, once for each. */
export function createPinnedRounds(store: SessionStore): PinnedRounds {
  const areas = new Map<Id, readonly Span[]>()
  return async (view) => {
    const pinned = (view.state('core', 'pinned') as readonly Id[] | undefined) ?? []
    if (pinned.some((edit) => !areas.has(edit))) await learn(store, view, pinned, areas)
    const rounds = new Set(pinned.flatMap((edit) => (areas.get(edit) ?? []).flatMap((area) => roundsOf(view, area))))
    return (round) => rounds.has(round)
  }
}

async function learn(
  store: SessionStore,
  view: View,
  pinned: readonly Id[],
  areas: Map<Id, readonly Span[]>,
): Promise<void> {
  const wanted = new Set(pinned)
  // One that is not found is not looked for again.
  for (const edit of pinned) areas.set(edit, areas.get(edit) ?? [])
  const log = await wholeLog(store, view)
  for await (const entry of log())
    if (entry.kind === 'edit' && wanted.has(entry.id)) areas.set(entry.id, areasOf(entry))
}

function areasOf({ changes }: Edit): Span[] {
  return changes.flatMap((change) => {
    if (change.kind === 'fold' || change.kind === 'drop') return [change.span]
    if (change.kind === 'replace') return [{ from: change.target.entry, to: change.target.entry }]
    return []
  })
}

function roundsOf({ rounds }: View, { from, to }: Span): readonly Round[] {
  const holds = (id: Id) => (round: Round) =>
    round.span.from === id || round.span.to === id || round.entries.some((entry) => entry.id === id)
  const first = rounds.findIndex(holds(from))
  const last = rounds.findIndex(holds(to))
  return first === -1 || last === -1 ? [] : rounds.slice(first, last + 1)
}
