import { NacreError } from '../errors.js'
import type { WindowOrigin } from '../models/resolve-model.js'
import type { ModelInfo } from '../types/model.js'

export interface ThresholdOptions {
  /** Tokens to stay within, where the window is larger than one wants to pay for. */
  readonly contextBudget?: number
  /** Off: people are warned before the end instead of before the compaction. On unless told. */
  readonly autoCompact?: boolean
  /** `NACRE_AUTOCOMPACT_PCT` is read from it: 1 to 100, the part of the window at which to compact. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** A figure, and where it comes from. */
export interface Figure {
  readonly tokens: number
  readonly from: string
}

export interface Thresholds {
  readonly window: Figure
  /**
   * What a prompt may fill, so that there is room for an answer: the window without the reserve, which is the longest
   * answer of the model or 20,000, whichever is smaller; smaller windows scale the 20,000 down.
   */
  readonly effective: Figure
  readonly compact: Figure
  /** Here people are told that it is getting full: before the compaction, or before the end where nothing compacts. */
  readonly warning: Figure
  /** Here they are told again: halfway from the warning to the limit. */
  readonly error: Figure
  /** Above it a query compacts first, and where nothing compacts by itself it is refused. */
  readonly block: Figure
  /** Whether the view is compacted by itself when it is above `compact`; `warning`, `error` and `percentLeft` go by it. */
  readonly autoCompact: boolean
  /** What all token figures of all layers are multiplied with. */
  readonly scale: number
  /** Until the compaction or, without one, until the end. */
  percentLeft(tokens: number): number
}

const VARIABLE = 'NACRE_AUTOCOMPACT_PCT'
const FULL_SIZE = 200_000
const OUTPUT = 20_000
const COMPACT_BELOW = 13_000
const WARN_BELOW = 20_000
const BLOCK_BELOW = 3_000

/** The sizes at which something happens. Below 200,000 tokens of window they shrink with it. */
export function thresholds(
  model: Pick<ModelInfo, 'window' | 'maxOutput'> & { readonly windowOrigin?: WindowOrigin },
  options: ThresholdOptions = {},
): Thresholds {
  const window = windowFigure(model, options.contextBudget)
  const scale = Math.min(1, window.tokens / FULL_SIZE)
  const scaled = (tokens: number) => Math.round(tokens * scale)
  const below = (figure: Figure, tokens: number, name: string): Figure => ({
    tokens: Math.max(0, figure.tokens - scaled(tokens)),
    from: `${name} - ${scaled(tokens)}`,
  })
  const output = Math.min(model.maxOutput, scaled(OUTPUT))
  const effective = { tokens: Math.max(0, window.tokens - output), from: `window - ${output} for the answer` }
  const compact = lowered(below(effective, COMPACT_BELOW, 'effective'), effective, options.environment?.[VARIABLE])
  const isAuto = options.autoCompact ?? true
  const limit = isAuto ? compact : effective
  const warning = below(limit, WARN_BELOW, isAuto ? 'compact' : 'effective')
  const block = below(effective, BLOCK_BELOW, 'effective')
  return {
    window,
    effective,
    compact,
    warning,
    error: { tokens: Math.round((warning.tokens + block.tokens) / 2), from: 'halfway from warning to block' },
    block,
    autoCompact: isAuto,
    scale,
    percentLeft: (tokens) => Math.max(0, Math.round(((limit.tokens - tokens) / Math.max(1, limit.tokens)) * 100)),
  }
}

function windowFigure(
  { window, windowOrigin }: { readonly window: number; readonly windowOrigin?: WindowOrigin },
  budget: number | undefined,
): Figure {
  if (budget !== undefined && !(Number.isInteger(budget) && budget > 0)) {
    throw new NacreError('INVALID_SETTINGS', 'contextBudget has to be a whole number of tokens above 0.')
  }
  if (budget !== undefined && budget < window) return { tokens: budget, from: 'contextBudget' }
  return { tokens: window, from: windowOrigin ? `${windowOrigin.source}, ${windowOrigin.provenance}` : 'model' }
}

function lowered(compact: Figure, effective: Figure, variable: string | undefined): Figure {
  if (variable === undefined || variable === '') return compact
  const percent = Number(variable)
  if (!(percent >= 1 && percent <= 100)) {
    throw new NacreError('INVALID_SETTINGS', `${VARIABLE} has to be a number from 1 to 100; it is '${variable}'.`)
  }
  const tokens = Math.floor((effective.tokens * percent) / 100)
  return tokens < compact.tokens ? { tokens, from: `${VARIABLE}=${variable} of effective` } : compact
}
