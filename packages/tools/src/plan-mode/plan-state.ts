import type { Json, StateEntry, View } from '@nacre/core'
import { stateEntry } from '../conversation.js'
import { hashOf } from '../hash.js'

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
export function announcedMode(view: Viewed): boolean {
  return view.state(OWNER, 'told') === true
}

export function readPlan(view: Viewed): Plan | undefined {
  return view.state(OWNER, 'plan') as Plan | undefined
}

/** Entries for `store.append`. */
export function planEntries(states: {
  readonly mode?: boolean
  readonly told?: boolean
  readonly plan?: Plan
}): StateEntry[] {
  return Object.entries(states).map(([key, value]) => stateEntry(OWNER, key, value as Json))
}

/** The todo list of the session, read from the state that the plugin `todos` keeps. Plans work without it. */
export function todosNow(view: Viewed): { readonly hash: string; readonly areAllDone: boolean } {
  const list = view.state('todos', 'list')
  const items = Array.isArray(list) ? (list as readonly { readonly status?: unknown }[]) : []
  return {
    hash: hashOf(JSON.stringify(items), 16),
    areAllDone: items.length > 0 && items.every(({ status }) => status === 'completed'),
  }
}
