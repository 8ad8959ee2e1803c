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
