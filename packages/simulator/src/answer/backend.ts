import type { PromptCache } from '../cache/prompt-cache.js'
import type { Clock } from '../clock.js'
import type { Ids } from '../ids.js'
import type { ModelTable } from '../models/find-model.js'
import type { TokenMemo } from '../prompt/token-memo.js'
import type { SimulatedModel } from '../replies/model.js'
import type { Seals } from '../thinking/thought.js'
import type { Fingerprints } from './fingerprints.js'

/** What every request shares. */
export interface Backend {
  readonly model: SimulatedModel
  readonly table: ModelTable
  readonly cache: PromptCache
  readonly memo: TokenMemo
  readonly seals: Seals
  readonly fingerprints: Fingerprints
  readonly clock: Clock
  readonly newId: Ids
}
