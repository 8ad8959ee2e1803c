import type { BlockRef } from '@nacre/core'

/** A block as a key. */
export function refKey({ entry, block }: BlockRef): string {
  return `${entry}/${block}`
}
