import { isRewind, type Place } from '../log/timeline.js'
import type { Projection } from './projection.js'

/** The part of the log that a rewind in force has taken back: from one ordinal up to, and without, another. */
export interface Rewound {
  readonly from: number
  readonly end: number
}

/** All that has been taken back, also where a fold has covered it since. */
export function rewindsOf({ timeline, alive }: Projection): readonly Rewound[] {
  const inForce = alive()
  return timeline.rewinds.flatMap((place) => {
    const drop = place.entry.changes.find(isRewind)
    if (!drop || !inForce.has(place.entry.id)) return []
    return [{ from: timeline.place(drop.span.from)?.ordinal ?? 0, end: place.ordinal }]
  })
}

export function isRewound(rewinds: readonly Rewound[], { ordinal }: Pick<Place, 'ordinal'>): boolean {
  return rewinds.some(({ from, end }) => from <= ordinal && ordinal < end)
}
