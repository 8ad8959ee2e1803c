import type { Edit } from '../../log/edit.js'
import type { Entry, StateEntry, UserEntry } from '../../log/entry.js'
import { isNacreError } from '../../nacre-error.js'

/** For what is not stopped. */
export const never: AbortSignal = new AbortController().signal

/** A prompt. */
export function user(id: string, text: string, time = 0): UserEntry {
  return { kind: 'user', id, time, content: [{ type: 'text', text }] }
}

/** A fact of core's. */
export function state(id: string, key: string, value: StateEntry['value'], time = 0): StateEntry {
  return { kind: 'state', id, time, owner: 'core', key, value }
}

/** A decision that costs nothing. */
export function edit(id: string, changes: Edit['changes']): Edit {
  const price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }
  return { kind: 'edit', id, time: 0, owner: 'test', reason: 'test', changes, price }
}

/** A fold of a span to nothing. */
export function fold(id: string, from: string, to: string): Edit {
  return edit(id, [{ kind: 'fold', span: { from, to }, content: [] }])
}

/** The ids of what is read, in order. */
export async function idsOf(entries: AsyncIterable<Entry>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of entries) ids.push(id)
  return ids
}

/** A blob as text. */
export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** The code of the error that a promise ends in. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return isNacreError(error) ? error.code : undefined
}
