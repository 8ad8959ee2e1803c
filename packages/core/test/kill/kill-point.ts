/** When a worker is killed: at the n-th of something, and some turns of the event loop later. */
export interface KillPoint {
  readonly at: 'opened' | 'request' | 'event' | 'run' | 'end' | 'response'
  readonly count: number
  readonly turns: number
}

const PLACES: readonly { readonly at: KillPoint['at']; readonly most: number }[] = [
  { at: 'opened', most: 1 },
  { at: 'request', most: 4 },
  { at: 'event', most: 90 },
  { at: 'event', most: 40 },
  { at: 'run', most: 9 },
  { at: 'end', most: 9 },
  { at: 'response', most: 4 },
]

export function killPoint(random: (limit: number) => number): KillPoint {
  const { at, most } = PLACES[random(PLACES.length)] as (typeof PLACES)[number]
  return { at, count: 1 + random(most), turns: [0, 0, 5, 50, 500][random(5)] ?? 0 }
}
