import type { StateEntry, View } from '@nacre/core'

const OWNER = 'minutes'

/** What was written down, and the last entry that it is about. */
export interface Minutes {
  readonly text: string
  readonly covers: string
}

/** State is read from the view: a rewind takes it back, a resume brings it back. */
export function readMinutes(view: View): Minutes | undefined {
  return view.state(OWNER, 'minutes') as Minutes | undefined
}

export function readAgenda(view: View): readonly string[] {
  return (view.state(OWNER, 'agenda') as readonly string[] | undefined) ?? []
}

/** An entry for `store.append`. The session gives it its own id and time. */
export function stateEntry(key: 'minutes' | 'agenda', value: StateEntry['value']): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}
