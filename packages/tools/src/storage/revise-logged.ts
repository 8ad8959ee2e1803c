import type { HookContext } from '@nacre/core'
import type { HeldResult, MessageResults } from './message-results.js'
import { revisionDraft } from './revision-draft.js'
import { OWNER, type StorageParts } from './storage-parts.js'

/**
 * Shows results that went into the log whole as previews, from the next request on: what is proposed while tools run
 * is installed before it. Written down, so that a process that takes over knows what is still to be done.
 */
export async function reviseLogged(
  { store }: StorageParts,
  { revised, names }: MessageResults,
  results: readonly HeldResult[],
  { view, propose }: HookContext,
): Promise<void> {
  const isFirst = revised.size === 0
  for (const result of results) revised.add(result)
  if (isFirst) {
    const draft = revisionDraft(
      view,
      () => revised,
      (call) => names.get(call) ?? call,
    )
    // It is answered when this message is complete; a log that can not be written ends the query by itself.
    propose(draft).catch(() => undefined)
  }
  const value = [...revised].map(({ call }) => call)
  await store.append([{ kind: 'state', id: '', time: 0, owner: OWNER, key: 'owed', value }]).catch(() => undefined)
}
