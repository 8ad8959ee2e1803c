/** Time as the simulator sees it. Moving it ages cache entries; no timer fires. */
export interface Clock {
  now(): number
  advance(milliseconds: number): void
}

/** Stands still until it is moved: what tests want. */
export function stillClock(start = Date.UTC(2026, 0, 1)): Clock {
  let time = start
  return {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}

/** Runs with the machine's clock, and can be moved on top of that. */
export function runningClock(): Clock {
  let offset = 0
  return {
    now: () => Date.now() + offset,
    advance: (milliseconds) => {
      offset += milliseconds
    },
  }
}

/** A small seeded generator (mulberry32): the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
