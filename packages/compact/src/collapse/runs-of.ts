import type { Round } from '@nacre/core'

/** Rounds that stand together and may all be folded; every other round parts them. */
export function runsOf(rounds: readonly Round[], mayFold: (round: Round) => boolean): Round[][] {
  const runs: Round[][] = [[]]
  for (const round of rounds) {
    if (mayFold(round)) runs.at(-1)?.push(round)
    else runs.push([])
  }
  return runs.filter((run) => run.length > 0)
}
