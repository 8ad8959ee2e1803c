import type { Capability, ModelInfo, Prices } from '../types/model.js'

/** All that is known of a model. */
export interface ModelRow {
  readonly id: string
  readonly released: string
  readonly window: number
  readonly maxOutput: number
  readonly cacheMinimum: number
  readonly thinking: ModelInfo['thinking']
  /** Tokens for each token of the estimate, which was fitted on models before 4.7. */
  readonly tokenFactor: number
  readonly can: ReadonlySet<Capability>
  /** The first whose `upTo` a prompt does not pass bills the whole request. */
  readonly tiers: readonly (Prices & { readonly upTo: number })[]
  /** Nobody has published its figures yet; they are those of the model before it. */
  readonly isAssumed: boolean
}

const BASIC: readonly Capability[] = ['context-management', 'diagnostics', 'deferred-tools', 'server-tools']
const COMPACTS: readonly Capability[] = [...BASIC, 'compaction']
const SPEAKS: readonly Capability[] = [...BASIC, 'system-messages', 'tool-changes']
const ALL: readonly Capability[] = [...SPEAKS, 'compaction']

/** They think unless they are told not to; the others do not unless told, or always. */
const THINKS = 'thinking-off'

/** Dollars, on every model. */
export const WEB_SEARCH = 0.01

const M = 1_000_000
const [OLD, NEW] = [1, 1.3]
const OPUS = [5, 25, 0.5] as const
const SONNET = [3, 15, 0.3] as const
const FABLE = [10, 50, 0.25] as const

type Price = readonly [input: number, output: number, read: number, upTo?: number]
type Row = readonly [
  id: string,
  released: string,
  window: number,
  maxOutput: number,
  cacheMinimum: number,
  thinking: ModelInfo['thinking'],
  tokenFactor: number,
  can: readonly Capability[],
  ...prices: Price[],
]

// biome-ignore format: a table is read by its columns
const ROWS: readonly Row[] = [
  ['claude-fable-5-2',  '2026-11-09',       M, 128_000,  512, 'bound', NEW, ALL,      FABLE],
  ['claude-mythos-5-2', '2026-11-09',       M, 128_000,  512, 'bound', NEW, ALL,      FABLE],
  ['claude-fable-5-1',  '2026-09-15',       M, 128_000,  512, 'bound', NEW, ALL,      FABLE],
  ['claude-mythos-5-1', '2026-09-15',       M, 128_000,  512, 'bound', NEW, ALL,      FABLE],
  ['claude-haiku-5-5',  '2026-09-03',       M, 128_000,  512, 'bound', NEW, [...SPEAKS, THINKS], [0.1, 0.5, 0.01, 100_000], [0.5, 2.5, 0.05]],
  ['claude-sonnet-5-5', '2026-09-02',       M, 128_000,  512, 'bound', NEW, ALL,      [2, 10, 0.1]],
  ['claude-opus-5-5',   '2026-09-01',       M, 128_000,  512, 'bound', NEW, ALL,      [4, 20, 0.2]],
  ['claude-opus-5',     '2026-07-01',       M, 128_000,  512, 'kept',  NEW, [...ALL, THINKS],      OPUS],
  ['claude-sonnet-5',   '2026-06-15',       M, 128_000, 1024, 'kept',  NEW, [...COMPACTS, THINKS], [2, 10, 0.2]],
  ['claude-fable-5',    '2026-06-01',       M, 128_000,  512, 'kept',  NEW, ALL,      [10, 50, 1]],
  ['claude-mythos-5',   '2026-06-01',       M, 128_000,  512, 'kept',  NEW, ALL,      [10, 50, 1]],
  ['claude-opus-4-8',   '2026-05-01',       M, 128_000, 1024, 'kept',  NEW, ALL,      OPUS],
  ['claude-opus-4-7',   '2026-04-01',       M, 128_000, 2048, 'kept',  NEW, COMPACTS, OPUS],
  ['claude-sonnet-4-6', '2026-02-17',       M, 128_000, 1024, 'kept',  OLD, COMPACTS, SONNET],
  ['claude-opus-4-6',   '2026-02-05',       M, 128_000, 4096, 'kept',  OLD, COMPACTS, OPUS],
  ['claude-opus-4-5',   '2025-11-01', 200_000,  64_000, 4096, 'kept',  OLD, BASIC,    OPUS],
  ['claude-haiku-4-5',  '2025-10-01', 200_000,  64_000, 4096, 'turn',  OLD, BASIC,    [1, 5, 0.1]],
  ['claude-sonnet-4-5', '2025-09-29', 200_000,  64_000, 1024, 'turn',  OLD, BASIC,    SONNET],
  ['claude-opus-4-1',   '2025-08-05', 200_000,  32_000, 1024, 'turn',  OLD, BASIC,    [15, 75, 1.5]],
  ['claude-opus-4',     '2025-05-14', 200_000,  32_000, 1024, 'turn',  OLD, BASIC,    [15, 75, 1.5]],
  ['claude-sonnet-4',   '2025-05-14', 200_000,  64_000, 1024, 'turn',  OLD, BASIC,    SONNET],
]
const ASSUMED: ReadonlySet<string> = new Set(['claude-fable-5-2', 'claude-mythos-5-2'])

const table: ReadonlyMap<string, ModelRow> = new Map(ROWS.map((row) => [row[0], toRow(row)]))

function toRow(row: Row): ModelRow {
  const [id, released, window, maxOutput, cacheMinimum, thinking, tokenFactor, can, ...prices] = row
  return {
    id,
    released,
    window,
    maxOutput,
    cacheMinimum,
    thinking,
    tokenFactor,
    can: new Set(can),
    tiers: prices.map(([input, output, read, upTo = Number.POSITIVE_INFINITY]) => ({
      upTo,
      input,
      output,
      read,
      write5m: input * 1.25,
      write1h: input * 2,
      webSearch: WEB_SEARCH,
    })),
    isAssumed: ASSUMED.has(id),
  }
}

/** The model behind a name: with or without a date, a version, a provider before it or a suffix in brackets. */
export function findModel(name: string): ModelRow | undefined {
  const bare = name
    .replace(/\[.*\]$/, '')
    .replace(/^.*(?=claude-)/, '')
    .replace(/([@-]\d{8}|-latest)?(-v\d+(:\d+)?)?$/, '')
  return table.get(bare)
}

/** Ids of the table, newest first. */
export function knownModels(): string[] {
  return [...table.keys()]
}
