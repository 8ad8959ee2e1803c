import type { SessionStore, StateEntry, View } from '@nacre/core'
import type { AllWords } from './server-words.js'

const OWNER = 'mcp'

interface StateValues {
  /** What the model was told of the servers, and whether it was told to search for tools. */
  readonly told: { readonly words: AllWords; readonly isDeferring: boolean }
  /** Deferred tools that were found, by name. */
  readonly found: readonly string[]
}

/** State is read from the view: a rewind takes it back, a resume brings it back. */
export function readState<Key extends keyof StateValues>(
  view: View | undefined,
  key: Key,
): StateValues[Key] | undefined {
  return view?.state(OWNER, key) as StateValues[Key] | undefined
}

export async function writeState<Key extends keyof StateValues>(
  store: SessionStore | undefined,
  key: Key,
  value: StateValues[Key],
): Promise<void> {
  await store?.append([{ kind: 'state', id: '', time: 0, owner: OWNER, key, value: value as StateEntry['value'] }])
}
