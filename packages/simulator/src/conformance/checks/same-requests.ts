import type { Played, StagedRequest } from '../act.js'
import { describeDifference } from '../describe-difference.js'
import type { CheckName, Problem } from '../finding.js'
import { itemsOf } from '../items.js'
import { mainRequests } from '../main-requests.js'

/** The first request in which two plays of one conversation differ. `aside`: marks may stand elsewhere. */
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
    const detail = difference(one, other, aside)
    if (detail !== undefined) return [{ check, step, detail: `${why}: request ${index} differs, ${detail}` }]
  }
  return []
}

function difference(one: StagedRequest, other: StagedRequest, aside: boolean): string | undefined {
  if (!aside) return one.body === other.body ? undefined : describeDifference(one.body, other.body)
  const [items, others] = [itemsOf(one), itemsOf(other)]
  const place = Array.from({ length: Math.max(items.length, others.length) }).findIndex(
    (_, index) => items[index]?.text !== others[index]?.text,
  )
  return place < 0 ? undefined : describeDifference(items[place]?.text, others[place]?.text)
}
