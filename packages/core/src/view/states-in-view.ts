import type { Json, StateEntry } from '../log/entry.js'
import type { Place } from '../log/timeline.js'
import { isRewound } from './create-view.js'
import type { Projection } from './projection.js'

/** The facts that hold now, each by its last value in view. */
export function statesInView({ timeline, segments }: Projection): { owner: string; key: string; value: Json }[] {
  const last = new Map<string, Place<StateEntry>>()
  for (const place of timeline.states) {
    const { owner, key } = place.entry
    if (!isRewound(segments, place)) last.set(`${owner}/${key}`, place)
  }
  return [...last.values()].map(({ entry: { owner, key, value } }) => ({ owner, key, value }))
}
