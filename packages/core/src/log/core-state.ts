import type { Entry, Json, StateEntry } from './entry.js'

/** A fact that core itself keeps in the log. What is kept has to be JSON; no type can say so of records with fields. */
export function coreState(key: string, value: unknown): Omit<StateEntry, 'id' | 'time'> {
  return { kind: 'state', owner: 'core', key, value: value as Json }
}

/** The fact that an entry holds, if it is the one that is asked for. `Value` is what was kept under that key. */
export function coreStateIn<Value>(entry: Entry, key: string): Value | undefined {
  const isOne = entry.kind === 'state' && entry.owner === 'core' && entry.key === key
  return isOne ? (entry.value as Value) : undefined
}
