import { NacreError } from '@nacre/core'

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
  /** Tools whose old results are never cleared, beside those that are not compactable. */
  readonly exclude?: readonly string[]
  /** Added to each summary's instructions, behind those of the user. */
  readonly instructions?: string
  /** Nobody is there to be asked: the model is told to go on without waiting for anyone. */
  readonly autonomous?: boolean
}

export type Settings = Required<CompactOptions>

const POLICIES: readonly Policy[] = ['fidelity', 'balanced', 'economy']

/** The options with their defaults; throws where one makes no sense. */
export function readSettings(options: CompactOptions = {}): Settings {
  const {
    policy = 'balanced',
    keep = policy === 'economy' ? 1 : 3,
    exclude = [],
    instructions = '',
    autonomous = false,
  } = options
  if (!POLICIES.includes(policy)) {
    throw new NacreError('INVALID_SETTINGS', `policy has to be one of ${POLICIES.join(', ')}; it is '${policy}'.`)
  }
  if (!Number.isInteger(keep) || keep < 1) {
    throw new NacreError('INVALID_SETTINGS', `keep has to be a whole number above 0; it is ${keep}.`)
  }
  return { policy, keep, exclude, instructions, autonomous }
}
