import { type Entry, type Id, isNacreError, type Json, type SessionStore, type View } from '@nacre/core'

/** Reads a session's log from its first entry on, each time that it is called. */
export type WholeLog = () => AsyncIterable<Entry>

/** The log from its beginning: a store begins at the last checkpoint unless it is told the first entry. */
export async function wholeLog(store: Pick<SessionStore, 'read'>, view: View | undefined): Promise<WholeLog> {
  const first = view ? firstIn(view.state('core', 'checkpoint')) : await findFirst(store)
  return () => readFrom(store, first)
}

async function* readFrom(store: Pick<SessionStore, 'read'>, first: Id | undefined): AsyncIterable<Entry> {
  let hasBegun = false
  try {
    for await (const entry of store.read(first)) {
      hasBegun = true
      yield entry
    }
  } catch (error) {
    // A copy of a session may not hold what its checkpoint names.
    if (hasBegun || first === undefined || !isNacreError(error, 'NOT_FOUND')) throw error
    yield* store.read()
  }
}

/** Without a view only the log itself can tell that it goes on before its checkpoint. */
async function findFirst(store: Pick<SessionStore, 'read'>): Promise<Id | undefined> {
  for await (const entry of store.read()) {
    const isCheckpoint = entry.kind === 'state' && entry.owner === 'core' && entry.key === 'checkpoint'
    const first = isCheckpoint ? firstIn(entry.value) : undefined
    if (first !== undefined) return first
  }
  return undefined
}

function firstIn(checkpoint: Json | undefined): Id | undefined {
  const { first } = Object(checkpoint) as { readonly first?: unknown }
  return typeof first === 'string' ? first : undefined
}
