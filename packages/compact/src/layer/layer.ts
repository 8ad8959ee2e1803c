import { type Contribution, definePlugin, NacreError, type Plugin, type SetupContext } from '@nacre/core'

/** One layer by the settings that all share: a plugin of its own that is a part of `compact`. */
export type Layer = (settings: Settings) => Plugin

/** What a layer is set up with. Any flag of any layer may be asked for, at each use: they change while a session runs. */
export interface LayerContext extends SetupContext<CompactFlag> {
  readonly settings: Settings
  /** The name of the tool that reads the log, while it is installed. */
  recall(): string | undefined
}

/** A layer by its name, the flags that it brings with their defaults, and what it adds to a session. */
export function defineLayer<Flag extends CompactFlag>(
  name: string,
  flags: Readonly<Record<Flag, boolean>>,
  setUp: (layer: LayerContext) => Contribution,
): Layer {
  return (settings) =>
    definePlugin<string>({
      name: `compact/${name}`,
      partOf: 'compact',
      scope: 'sessions',
      flags,
      setup: (context) => setUp({ ...context, settings, recall: () => (context.flag('recall') ? RECALL : undefined) }),
    })
}

/**
 * When to cut. `fidelity`: as late as the window allows. `balanced`: clear old results in the batches that pay, fold
 * late. `economy`: fold at the economic point too.
 */
export type Policy = 'fidelity' | 'balanced' | 'economy'

export interface CompactOptions {
  /** `balanced` unless told. */
  readonly policy?: Policy
  /** Old results that stay when others are cleared by size; 3 unless told, 1 with `economy`; never fewer than 1. */
  readonly keep?: number
  /** Clearing by time, after a pause. */
  readonly idle?: IdleOptions
  /** Tools whose old results are never cleared, beside those that are not compactable. */
  readonly exclude?: readonly string[]
  /** Added to each summary's instructions, behind those of the user. */
  readonly instructions?: string
  /** Nobody is there to be asked: the model is told to go on without waiting for anyone. */
  readonly autonomous?: boolean
}

export interface IdleOptions {
  /** How long a pause has to be; until the cache has expired unless told. */
  readonly minutes?: number
  /** Old results that stay; 5 unless told, or `keep` if that is more. */
  readonly keep?: number
}

export interface Settings extends Required<Omit<CompactOptions, 'idle'>> {
  readonly idle: { readonly minutes: number | undefined; readonly keep: number }
}

const POLICIES: readonly Policy[] = ['fidelity', 'balanced', 'economy']

const KEPT_BY_TIME = 5

/** The options with their defaults; throws where one makes no sense. */
export function readSettings(options: CompactOptions = {}): Settings {
  const {
    policy = 'balanced',
    keep = policy === 'economy' ? 1 : 3,
    idle = {},
    exclude = [],
    instructions = '',
    autonomous = false,
  } = options
  if (!POLICIES.includes(policy)) {
    throw new NacreError('INVALID_SETTINGS', `policy has to be one of ${POLICIES.join(', ')}; it is '${policy}'.`)
  }
  const { minutes, keep: keptByTime = Math.max(keep, KEPT_BY_TIME) } = idle
  checkKeep('keep', keep)
  checkKeep('idle.keep', keptByTime)
  if (minutes !== undefined && !(minutes > 0)) {
    throw new NacreError('INVALID_SETTINGS', `idle.minutes has to be a number above 0; it is ${minutes}.`)
  }
  return { policy, keep, idle: { minutes, keep: keptByTime }, exclude, instructions, autonomous }
}

function checkKeep(name: string, keep: number): void {
  if (Number.isInteger(keep) && keep >= 1) return
  throw new NacreError('INVALID_SETTINGS', `${name} has to be a whole number above 0; it is ${keep}.`)
}

/** The flags of all layers; known outside as `compact.name`. Each is declared by its layer, with its default. */
export type CompactFlag =
  | 'clear'
  | 'idle'
  | 'cached'
  | 'api'
  | 'server'
  | 'summary'
  | 'digest'
  | 'recall'
  | 'snip'
  | 'collapse'

/** What the tool is called, in its schema and in all that tells the model of it. */
export const RECALL = 'Recall'
