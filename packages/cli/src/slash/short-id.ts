import type { Id } from '@nacre/core'

/** The beginning of an id: enough to name it by. */
export function shortId(id: Id): string {
  return id.slice(0, 8)
}
