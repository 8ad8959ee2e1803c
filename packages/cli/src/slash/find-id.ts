import type { Id } from '@nacre/core'

export type FoundId = { readonly id: Id } | { readonly id?: never; readonly wrong: string }

/** A shorter beginning would hit one by chance: a number that was meant otherwise, or a letter that slipped in. */
const LEAST = 4

/** An id by itself or by its beginning, if only one begins so. */
export function findId(typed: string, ids: readonly Id[], what: string): FoundId {
  if (ids.includes(typed)) return { id: typed }
  if (typed.length < LEAST) return { wrong: `'${typed}' is too short for an id: type four letters of it or more.` }
  const matches = [...new Set(ids.filter((id) => id.startsWith(typed)))]
  const [first] = matches
  if (first === undefined) return { wrong: `There is no ${what} '${typed}'.` }
  if (matches.length > 1) return { wrong: `'${typed}' is the beginning of ${matches.length} ids. Type more of it.` }
  return { id: first }
}
