import type { AssistantEntry, Entry, Epoch } from '../types/log.js'
import { promptTokens } from './cost.js'
import { estimateBlock, estimateEpoch, USER_TURN_TOKENS } from './estimate.js'

/** What a calibration has learned, as it is kept in a checkpoint. */
interface CalibrationState {
  /** Newest last: true size over estimated size, and how much it counts. */
  readonly seen: readonly (readonly [ratio: number, weight: number])[]
}

interface Calibration {
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

/** What was learned from a log about sizes, as a checkpoint keeps it. */
export interface TokenWatchState {
  readonly calibration: CalibrationState
  readonly perTurn: readonly number[]
}

/** Follows a log entry by entry, and learns from each response how large things really are. */
export interface TokenWatch {
  readonly calibration: Calibration
  /** Tokens that a turn adds, by the median of the last ones. */
  tokensPerTurn(): number
  /** When the last response came; `undefined` before the first. */
  lastResponse(): number | undefined
  onEntry(entry: Entry): void
  restore(state: TokenWatchState): void
  state(): TokenWatchState
}

const TURNS = 15

export function createTokenWatch(factorOf: (model: string) => number, epoch: () => Epoch): TokenWatch {
  let calibration: Calibration | undefined
  let model: string | undefined
  let before: AssistantEntry | undefined
  let answered: number | undefined
  /** What was said since the last response, by estimate; `undefined` once an edit reached further back. */
  let said: number | undefined = 0
  let perTurn: number[] = []
  const calibrated = () => {
    calibration ??= createCalibration(factorOf(model ?? ''))
    return calibration
  }

  const learn = (entry: AssistantEntry) => {
    if (entry.model === '') return
    if (entry.model !== model) {
      calibration = createCalibration(factorOf(entry.model), model === undefined ? calibration?.state() : undefined)
      if (model !== undefined) before = undefined
      model = entry.model
    }
    const size = promptTokens(entry.usage)
    // Of an answer for which the server ran the model more than once only the price is known.
    if (size > 0 || entry.usage.dollars > 0) answered = entry.time
    if (size > 0 && said !== undefined) {
      const known = before ? promptTokens(before.usage) + before.usage.output : 0
      const estimate = said + USER_TURN_TOKENS + (before ? 0 : estimateEpoch(epoch()))
      calibrated().learn(estimate, size - known)
      if (before) perTurn = [...perTurn, size + entry.usage.output - known].slice(-TURNS)
    }
    before = size > 0 ? entry : undefined
    said = size > 0 ? 0 : undefined
  }

  return {
    get calibration() {
      return calibrated()
    },
    tokensPerTurn: () => perTurn.toSorted((a, b) => a - b)[perTurn.length >> 1] ?? 0,
    lastResponse: () => answered,
    onEntry(entry) {
      if (entry.kind === 'assistant') learn(entry)
      else if (entry.kind === 'user') said = said === undefined ? undefined : said + estimateAll(entry.content)
      else if (entry.kind === 'edit') {
        const inserted = entry.changes.every(({ kind }) => kind === 'insert')
        said = inserted && said !== undefined ? said - (entry.price.estimated?.freed ?? entry.price.freed) : undefined
      }
    },
    restore(state) {
      calibration = createCalibration(factorOf(model ?? ''), state.calibration)
      perTurn = [...state.perTurn]
      said = undefined
    },
    state: () => ({ calibration: calibrated().state(), perTurn }),
  }
}

function estimateAll(content: readonly Parameters<typeof estimateBlock>[0][]): number {
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}
