import type { Played, StagedRequest } from '../act.js'
import { describeDifference } from '../describe-difference.js'
import type { CheckName, Problem } from '../finding.js'
import { type Item, itemsOf } from '../items.js'
import { mainRequests } from '../main-requests.js'

/** As the stage gives them out. */
const ENTRY_ID = /\bentry-\d+-\d+\b/g
const SIGNATURE = /"signature":"[^"]*"/

/**
 * The first request in which two plays of one conversation differ. `aside`: marks may stand elsewhere, and an entry is
 * known by its place among those of its kind, since the runtime's own notes to itself may shift the ids.
 */
export function sameRequests(
  check: CheckName,
  expected: Played,
  actual: Played,
  { aside = false, why }: { readonly aside?: boolean; readonly why: string },
): readonly Problem[] {
  const [wanted, given] = [mainRequests(expected.requests), mainRequests(actual.requests)]
  for (let index = 0; index < Math.max(wanted.length, given.length); index++) {
    const [one, other] = [wanted[index], given[index]]
    const step = other?.step ?? one?.step ?? 0
    if (!one || !other) {
      return [{ check, step, detail: `${why}: ${given.length} requests instead of ${wanted.length}` }]
    }
    const detail = aside ? difference(texts(one, expected), texts(other, actual)) : difference([one.body], [other.body])
    if (detail !== undefined) return [{ check, step, detail: `${why}: request ${index} differs, ${detail}` }]
  }
  return []
}

function difference(one: readonly string[], other: readonly string[]): string | undefined {
  const place = Array.from({ length: Math.max(one.length, other.length) }).findIndex(
    (_, index) => one[index] !== other[index],
  )
  return place < 0 ? undefined : describeDifference(one[place], other[place])
}

function texts(request: StagedRequest, { entries }: Played): readonly string[] {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { id, kind } of entries) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    names.set(id, `${kind} ${counts.get(kind)}`)
  }
  // The server signs what it read, ids included.
  const named = ({ text }: Item) => text.replace(SIGNATURE, '').replace(ENTRY_ID, (id) => names.get(id) ?? id)
  return itemsOf(request).map(named)
}
