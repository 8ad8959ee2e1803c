import type { Json, RestoreEvent, Round, StateEntry } from '@nacre/core'

/** An entry for `store.append`. The session gives it its own id and time. */
export function stateEntry(owner: string, key: string, value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner, key, value }
}

/** The rounds that a fold leaves. */
export function keptRounds({ view, folded }: Pick<RestoreEvent, 'view' | 'folded'>): readonly Round[] {
  const gone = new Set(view.roundsIn(folded))
  return view.rounds.filter((round) => !gone.has(round))
}
