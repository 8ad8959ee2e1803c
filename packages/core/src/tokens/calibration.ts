/** What a calibration has learned, as it is kept in a checkpoint. */
export interface CalibrationState {
  /** Newest last: true size over estimated size, and how much it counts. */
  readonly seen: readonly (readonly [ratio: number, weight: number])[]
}

export interface Calibration {
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
  /** What tokens are multiplied with: the padding is in it as long as nothing is known. */
  readonly factor: number
  readonly isCalibrated: boolean
  /** A response has told how many tokens an estimated turn really had. */
  learn(estimate: number, actual: number): void
  state(): CalibrationState
}

const PADDING = 4 / 3
const DECAY = 0.9
/** Enough that what falls out had no weight left. */
const MEMORY = 40
/** Fewer than this are not yet a measure. */
const ENOUGH = 3
/** Ratios beyond it come from something else than words: a clearing on the server, an unseen block. */
const ABSURD = 8

/**
 * Learns how a model's tokens relate to estimates: the median of what was seen, where later and larger turns count
 * more. A median, since single turns can be off by any amount and must not move the rest.
 */
export function createCalibration(modelFactor: number, saved?: CalibrationState): Calibration {
  const seen = [...(saved?.seen ?? [])]
  let median = weightedMedian(seen)
  const factor = () => (seen.length < ENOUGH ? modelFactor * PADDING : median)
  return {
    get factor() {
      return factor()
    },
    get isCalibrated() {
      return seen.length >= ENOUGH
    },
    tokens: (estimate) => Math.ceil(estimate * factor()),
    learn(estimate, actual) {
      const ratio = actual / estimate
      if (!(estimate > 0) || !(ratio > modelFactor / ABSURD && ratio < modelFactor * ABSURD)) return
      seen.push([ratio, Math.sqrt(estimate)])
      if (seen.length > MEMORY) seen.shift()
      median = weightedMedian(seen)
    },
    state: () => ({ seen: [...seen] }),
  }
}

function weightedMedian(seen: CalibrationState['seen']): number {
  const weighted = seen.map(([ratio, weight], index) => ({
    ratio,
    weight: weight * DECAY ** (seen.length - 1 - index),
  }))
  weighted.sort((a, b) => a.ratio - b.ratio)
  const half = weighted.reduce((sum, { weight }) => sum + weight, 0) / 2
  let sum = 0
  for (const { ratio, weight } of weighted) {
    sum += weight
    if (sum >= half) return ratio
  }
  return 1
}
