import type { Id } from '../log/entry.js'

const SHORTEST = 8

/** Ids cut as short as tells them apart: in an index of names they would take more room than the names. */
export function shortIds(ids: ReadonlySet<Id>): (id: Id) => string {
  let length = SHORTEST
  while (new Set([...ids].map((id) => id.slice(0, length))).size < ids.size) length += 1
  return (id) => id.slice(0, length)
}
