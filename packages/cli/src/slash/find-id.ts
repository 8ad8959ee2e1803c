import type { Id } from '@nacre/core'

export type FoundId = { readonly id: Id } | { readonly id?: never; readonly wrong: string }

/** An id by itself or by its beginning, if only one begins so. */
export function findId(typed: string, ids: readonly Id[], what: string): FoundId {
  if (ids.includes(typed)) return { id: typed }
  const matches = [...new Set(ids.filter((id) => id.startsWith(typed)))]
  const [first] = matches
  if (first === undefined) return { wrong: `There is no ${what} '${typed}'.` }
  if (matches.length > 1) return { wrong: `'${typed}' is the beginning of ${matches.length} ids. Type more of it.` }
  return { id: first }
}
