import { promptTokens } from '../cost/usage.js'
import type { Epoch } from '../log/edit.js'
import type { AssistantEntry, Entry } from '../log/entry.js'
import { type Calibration, type CalibrationState, createCalibration } from './calibration.js'
import { estimateBlock } from './estimate-block.js'
import { estimateEpoch } from './estimate-epoch.js'
import { USER_TURN_TOKENS } from './turn-tokens.js'

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
  hear(entry: Entry): void
  restore(state: TokenWatchState): void
  state(): TokenWatchState
}

const TURNS = 15

export function createTokenWatch(factorOf: (model: string) => number, epoch: () => Epoch): TokenWatch {
  let calibration: Calibration | undefined
  let model: string | undefined
  let before: AssistantEntry | undefined
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
    lastResponse: () => before?.time,
    hear(entry) {
      if (entry.kind === 'assistant') learn(entry)
      else if (entry.kind === 'user') said = said === undefined ? undefined : said + estimateAll(entry.content)
      else if (entry.kind === 'edit') {
        const inserted = entry.changes.every(({ kind }) => kind === 'insert')
        said = inserted && said !== undefined ? said - entry.price.freed : undefined
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
