import { NacreError } from '../errors.js'
import type { ModelInfo, ModelKin } from '../types/model.js'
import { findModel, type ModelRow, WEB_SEARCH } from './model-table.js'

/** How sure a window is, and who said so. */
export interface WindowOrigin {
  readonly provenance: 'declared' | 'observed' | 'assumed'
  readonly source: string
}

export interface ResolvedModel extends ModelInfo {
  readonly windowOrigin: WindowOrigin
  /** Tokens for each token of the estimate. */
  readonly tokenFactor: number
  /** For people: what was taken for granted. */
  readonly warnings: readonly string[]
}

export interface ResolveOptions {
  /** A known model that this one behaves like, for names of one's own. */
  readonly like?: string
  /** For a model with another window than the table says. */
  readonly window?: number
  readonly betas?: readonly string[]
  /** `NACRE_CONTEXT_WINDOW` is read from it. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

const VARIABLE = 'NACRE_CONTEXT_WINDOW'
const DEFAULT_WINDOW = 200_000
const SUFFIX = '[1m]'
const MILLION = 1_000_000

/** What the runtime has to know of a model. An unknown one gets figures that are safe, and a warning. */
export function resolveModel(name: string, options: ResolveOptions = {}): ResolvedModel {
  const known = findModel(name) ?? (options.like === undefined ? undefined : findModel(options.like))
  const row = known ?? UNKNOWN
  const { window, ...windowOrigin } = resolveWindow(name, known, options)
  return {
    id: name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name,
    window,
    windowOrigin,
    maxOutput: row.maxOutput,
    cacheMinimum: row.cacheMinimum,
    thinking: row.thinking,
    tokenFactor: row.tokenFactor,
    can: row.can,
    warnings: warningsOf(name, known, window, windowOrigin),
    kin: remembering((other) => kinOf(name, other)),
    price: (promptTokens) => row.tiers.find(({ upTo }) => promptTokens <= upTo) ?? (row.tiers.at(-1) as Tier),
  }
}

/** Asked for every message of every turn, about the same few names. */
function remembering<Value>(find: (name: string) => Value): (name: string) => Value {
  const known = new Map<string, Value>()
  return (name) => {
    const value = known.get(name) ?? find(name)
    known.set(name, value)
    return value
  }
}

function kinOf(name: string, other: string): ModelKin {
  const { id, tokenFactor } = findModel(other) ?? UNKNOWN
  return { key: id || other, tokenFactor, isRead: readsThinking(name, other) }
}

type Tier = ModelRow['tiers'][number]
type Window = WindowOrigin & { readonly window: number }

function resolveWindow(name: string, known: ModelRow | undefined, options: ResolveOptions): Window {
  const declared = (window: number, source: string): Window => ({ window, provenance: 'declared', source })
  if (options.window !== undefined) return declared(checked(options.window, 'window'), 'option window')
  if (name.endsWith(SUFFIX)) return declared(MILLION, `suffix ${SUFFIX}`)
  if (known) {
    const provenance = known.isAssumed ? 'assumed' : 'declared'
    return { window: known.window, provenance, source: `model table (${known.id})` }
  }
  const beta = options.betas?.find((each) => each.startsWith('context-1m-'))
  if (beta) return declared(MILLION, `beta ${beta}`)
  const variable = options.environment?.[VARIABLE]
  if (variable) return declared(checked(Number(variable), VARIABLE), VARIABLE)
  return { window: DEFAULT_WINDOW, provenance: 'assumed', source: 'default' }
}

function checked(window: number, name: string): number {
  if (Number.isInteger(window) && window > 0) return window
  throw new NacreError('INVALID_SETTINGS', `${name} has to be a whole number of tokens above 0.`)
}

function warningsOf(name: string, known: ModelRow | undefined, window: number, { source }: WindowOrigin): string[] {
  if (known?.isAssumed) return [`Figures of ${name} are not published yet; those of the model before it are used.`]
  if (known) return []
  return [
    `Unknown model ${name}: window ${window} (${source}), output ${UNKNOWN.maxOutput}, dollars at the highest known price. ` +
      `Name a model that it is like, or set ${VARIABLE}.`,
  ]
}

/** What can do no harm: little output, thinking only where it is certainly valid, dollars rather too high. */
const UNKNOWN: ModelRow = {
  id: '',
  released: '',
  window: DEFAULT_WINDOW,
  maxOutput: 32_000,
  cacheMinimum: 4096,
  thinking: 'bound',
  tokenFactor: 1.3,
  can: new Set(),
  tiers: [
    {
      upTo: Number.POSITIVE_INFINITY,
      input: 15,
      output: 75,
      read: 1.5,
      write5m: 18.75,
      write1h: 30,
      webSearch: WEB_SEARCH,
    },
  ],
  isAssumed: true,
}

/** Whether a model reads thinking that another wrote: the same one does, and a newer one; of unknown ones only the same. */
export function readsThinking(reader: string, author: string): boolean {
  if (reader === author) return true
  const [ours, theirs] = [findModel(reader), findModel(author)]
  if (!ours || !theirs) return false
  // What was not bound to a prefix carries no record that a model which binds could check.
  const isChecked = ours.thinking !== 'bound' || theirs.thinking === 'bound'
  return ours === theirs || (isChecked && ours.released > theirs.released)
}
