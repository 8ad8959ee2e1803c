import type { Id, View } from '@nacre/core'

/** A place in the rounds of a view; behind the last one, the round is their number. */
export interface Place {
  readonly round: number
  readonly entry: number
}

/** The first entry behind another one; `undefined` where that is not in view, be it folded or taken back. */
export function firstAfter({ rounds }: View, id: Id): Place | undefined {
  for (let index = rounds.length - 1; index >= 0; index--) {
    const { entries = [], content, span } = rounds[index] ?? {}
    const at = entries.findIndex((entry) => entry.id === id)
    if (at !== -1) return at + 1 < entries.length ? { round: index, entry: at + 1 } : { round: index + 1, entry: 0 }
    if (content && span?.to === id) return { round: index + 1, entry: 0 }
  }
  return undefined
}

/** Where nothing is known: all that no fold stands for. */
export function firstUnfolded({ rounds }: View): Place {
  return { round: rounds.findLastIndex(({ content }) => content !== undefined) + 1, entry: 0 }
}
