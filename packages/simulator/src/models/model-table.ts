import type { ModelSpec, ModelThinking, PriceTier, ThinkingType } from './model-spec.js'

/** A model of one's own: like one of the table, but for what is named. */
export type CustomModel = Partial<ModelSpec> & { readonly id: string; readonly like: string }

export type FindModel = (id: string) => ModelSpec | undefined

export interface ModelTable {
  readonly all: readonly ModelSpec[]
  readonly find: FindModel
}

/** The table with one's own models before it. */
export function modelTable(custom: readonly CustomModel[] = []): ModelTable {
  const known = new Map<string, ModelSpec>()
  const own: ModelSpec[] = []
  const learn = (spec: ModelSpec) => {
    for (const id of [spec.id, ...spec.aliases]) known.set(id, spec)
  }
  for (const spec of MODELS) learn(spec)
  for (const { like, ...changes } of custom) {
    const base = known.get(like)
    if (!base) {
      const names = [...known.keys()].join(', ')
      throw new Error(`The model '${changes.id}' is like '${like}', which is not known. Known: ${names}.`)
    }
    const spec = { ...base, displayName: changes.id, aliases: [], ...changes }
    own.push(spec)
    learn(spec)
  }
  return { all: [...own, ...MODELS], find: (id) => known.get(id) }
}

const CURRENT_TOKENS = 1.56
const EARLIER_TOKENS = 1.2

function flat(input: number, output: number, read: number): readonly PriceTier[] {
  return [tier(Number.POSITIVE_INFINITY, input, output, read)]
}

function tier(upTo: number, input: number, output: number, read: number): PriceTier {
  return { upTo, input, output, read, write5m: input * 1.25, write1h: input * 2 }
}

function thinking(types: readonly ThinkingType[], rest: Partial<ModelThinking> = {}): ModelThinking {
  const usual = {
    byDefault: true,
    isNeededAboveHigh: false,
    display: 'omitted',
    bound: false,
    retention: 'all',
  } as const
  return { types, ...usual, ...rest }
}

/** What most current models share; each entry of the table says where it differs. */
const current = {
  aliases: [],
  retires: null,
  window: 1_000_000,
  maxOutput: 128_000,
  cacheMinimum: 512,
  tokenFactor: CURRENT_TOKENS,
  toolPrompt: { free: 286, forced: 406 },
  effort: 'high',
  systemMessages: true,
  forcedToolChoice: true,
  prefill: false,
  onDemandCompaction: true,
  overflow: 'stop',
} as const

const earlier = { ...current, tokenFactor: EARLIER_TOKENS, systemMessages: false } as const

const fable = { ...current, line: 'fable', prices: flat(10, 50, 0.25), forcedToolChoice: false } as const
const alwaysBound = thinking(['adaptive'], { bound: true })
const opusPrices = flat(5, 25, 0.5)
const sonnetPrices = flat(3, 15, 0.3)

const MANUAL = thinking(['enabled', 'disabled'], { byDefault: false, display: 'summarized' })
const BOTH = thinking(['adaptive', 'enabled', 'disabled'], { byDefault: false, display: 'summarized' })
const ADAPTIVE_OFF = thinking(['adaptive', 'disabled'], { byDefault: false })
const ADAPTIVE_ON = thinking(['adaptive', 'disabled'])

/** The models of the facts this package is built on. What they leave open is in `docs/assumptions.md`. */
export const MODELS: readonly ModelSpec[] = [
  { ...fable, id: 'claude-fable-5-2', displayName: 'Claude Fable 5.2', released: '2026-11-09', thinking: alwaysBound },
  {
    ...fable,
    id: 'claude-mythos-5-2',
    displayName: 'Claude Mythos 5.2',
    line: 'mythos',
    released: '2026-11-09',
    thinking: alwaysBound,
  },
  { ...fable, id: 'claude-fable-5-1', displayName: 'Claude Fable 5.1', released: '2026-09-15', thinking: alwaysBound },
  {
    ...fable,
    id: 'claude-mythos-5-1',
    displayName: 'Claude Mythos 5.1',
    line: 'mythos',
    released: '2026-09-15',
    thinking: alwaysBound,
  },
  {
    ...current,
    id: 'claude-opus-5-5',
    displayName: 'Claude Opus 5.5',
    line: 'opus',
    released: '2026-09-01',
    prices: flat(4, 20, 0.2),
    thinking: alwaysBound,
    effort: 'medium',
    forcedToolChoice: false,
  },
  {
    ...current,
    id: 'claude-sonnet-5-5',
    displayName: 'Claude Sonnet 5.5',
    line: 'sonnet',
    released: '2026-09-02',
    prices: flat(2, 10, 0.1),
    thinking: thinking(['adaptive', 'between_tools'], { bound: true, isNeededAboveHigh: true }),
    forcedToolChoice: false,
  },
  {
    ...current,
    id: 'claude-haiku-5-5',
    displayName: 'Claude Haiku 5.5',
    line: 'haiku',
    released: '2026-09-03',
    prices: [tier(100_000, 0.1, 0.5, 0.01), tier(Number.POSITIVE_INFINITY, 0.5, 2.5, 0.05)],
    thinking: thinking(['adaptive', 'disabled'], { bound: true, isNeededAboveHigh: true }),
    effort: 'medium',
    onDemandCompaction: false,
  },
  {
    ...current,
    id: 'claude-fable-5',
    displayName: 'Claude Fable 5',
    line: 'fable',
    released: '2026-06-01',
    prices: flat(10, 50, 1),
    thinking: thinking(['adaptive']),
  },
  {
    ...current,
    id: 'claude-mythos-5',
    displayName: 'Claude Mythos 5',
    line: 'mythos',
    released: '2026-06-01',
    prices: flat(10, 50, 1),
    thinking: thinking(['adaptive']),
  },
  {
    ...current,
    id: 'claude-opus-5',
    displayName: 'Claude Opus 5',
    line: 'opus',
    released: '2026-07-01',
    prices: opusPrices,
    thinking: { ...ADAPTIVE_ON, isNeededAboveHigh: true },
  },
  {
    ...current,
    id: 'claude-sonnet-5',
    displayName: 'Claude Sonnet 5',
    line: 'sonnet',
    released: '2026-06-15',
    prices: flat(2, 10, 0.2),
    cacheMinimum: 1024,
    toolPrompt: { free: 354, forced: 474 },
    thinking: ADAPTIVE_ON,
    systemMessages: false,
  },
  {
    ...current,
    id: 'claude-opus-4-8',
    displayName: 'Claude Opus 4.8',
    line: 'opus',
    released: '2026-05-01',
    prices: opusPrices,
    cacheMinimum: 1024,
    toolPrompt: { free: 290, forced: 410 },
    thinking: ADAPTIVE_OFF,
  },
  {
    ...current,
    id: 'claude-opus-4-7',
    displayName: 'Claude Opus 4.7',
    line: 'opus',
    released: '2026-04-01',
    prices: opusPrices,
    cacheMinimum: 2048,
    toolPrompt: { free: 675, forced: 804 },
    thinking: ADAPTIVE_OFF,
    systemMessages: false,
  },
  {
    ...earlier,
    id: 'claude-opus-4-6',
    displayName: 'Claude Opus 4.6',
    line: 'opus',
    released: '2026-02-05',
    prices: opusPrices,
    cacheMinimum: 4096,
    toolPrompt: { free: 497, forced: 589 },
    thinking: BOTH,
  },
  {
    ...earlier,
    id: 'claude-sonnet-4-6',
    displayName: 'Claude Sonnet 4.6',
    line: 'sonnet',
    released: '2026-02-17',
    prices: sonnetPrices,
    cacheMinimum: 1024,
    toolPrompt: { free: 497, forced: 589 },
    thinking: BOTH,
  },
  {
    ...earlier,
    id: 'claude-opus-4-5-20251101',
    aliases: ['claude-opus-4-5'],
    displayName: 'Claude Opus 4.5',
    line: 'opus',
    released: '2025-11-01',
    window: 200_000,
    maxOutput: 64_000,
    prices: opusPrices,
    cacheMinimum: 4096,
    toolPrompt: { free: 496, forced: 588 },
    thinking: MANUAL,
    prefill: true,
    onDemandCompaction: false,
  },
  {
    ...earlier,
    id: 'claude-sonnet-4-5-20250929',
    aliases: ['claude-sonnet-4-5'],
    displayName: 'Claude Sonnet 4.5',
    line: 'sonnet',
    released: '2025-09-29',
    retires: '2026-11-30',
    window: 200_000,
    maxOutput: 64_000,
    prices: sonnetPrices,
    cacheMinimum: 1024,
    toolPrompt: { free: 496, forced: 588 },
    thinking: { ...MANUAL, retention: 'last-turn' },
    effort: null,
    prefill: true,
    onDemandCompaction: false,
  },
  {
    ...earlier,
    id: 'claude-haiku-4-5-20251001',
    aliases: ['claude-haiku-4-5'],
    displayName: 'Claude Haiku 4.5',
    line: 'haiku',
    released: '2025-10-01',
    window: 200_000,
    maxOutput: 64_000,
    prices: flat(1, 5, 0.1),
    cacheMinimum: 4096,
    toolPrompt: { free: 496, forced: 588 },
    thinking: { ...MANUAL, retention: 'last-turn' },
    effort: null,
    prefill: true,
    onDemandCompaction: false,
  },
]
