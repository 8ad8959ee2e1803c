import type { Entry } from '@nacre/core'

/** What the store keeps, as text and bytes: a batch is one value, so it is there whole or not at all. */
export interface Kept {
  readonly batches: Map<string, string[]>
  readonly blobs: Map<string, Uint8Array>
}

/** The entries of a session, oldest first. */
export function entriesOf(batches: readonly string[]): Entry[] {
  return batches.flatMap((batch) => JSON.parse(batch) as Entry[])
}
