import type { Json, StateEntry, View } from '@nacre/core'

export const OWNER = 'plan-mode'

/** A plan that a person has approved. */
export interface Plan {
  readonly text: string
  /** Where it was written to, if it could be. */
  readonly file: string | null
  /** A person said that it is done. */
  readonly isDone: boolean
  /** A hash of the todo list at the time: only a list that was written since then tells how far the plan is. */
  readonly todos: string
}

type Viewed = Pick<View, 'state'>

export function isPlanning(view: Viewed): boolean {
  return view.state(OWNER, 'mode') === true
}

/** What the model was last told about the mode. */
export function toldMode(view: Viewed): boolean {
  return view.state(OWNER, 'told') === true
}

export function readPlan(view: Viewed): Plan | undefined {
  return view.state(OWNER, 'plan') as Plan | undefined
}

/** Entries for `store.append`. The session gives them their own ids and times. */
export function planEntries(states: {
  readonly mode?: boolean
  readonly told?: boolean
  readonly plan?: Plan
}): StateEntry[] {
  return Object.entries(states).map(([key, value]) => {
    return { kind: 'state', id: '', time: 0, owner: OWNER, key, value: value as Json }
  })
}
