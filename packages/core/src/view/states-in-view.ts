import type { Json, StateEntry } from '../log/entry.js'
import type { Place } from '../log/timeline.js'
import type { Projection } from './projection.js'
import { isRewound, rewindsOf } from './rewinds.js'

/** The facts that hold now, each by its last value in view. */
export function statesInView(projection: Projection): { owner: string; key: string; value: Json }[] {
  const { timeline } = projection
  const rewinds = rewindsOf(projection)
  const last = new Map<string, Place<StateEntry>>()
  for (const place of timeline.states) {
    const { owner, key } = place.entry
    if (!isRewound(rewinds, place)) last.set(`${owner}/${key}`, place)
  }
  return [...last.values()].map(({ entry: { owner, key, value } }) => ({ owner, key, value }))
}
