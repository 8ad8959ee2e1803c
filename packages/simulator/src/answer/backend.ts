import type { TokenMemo } from '../measure/tokens.js'
import type { ModelTable } from '../models/model-table.js'
import type { Fingerprints, PromptCache } from '../prompt/prompt-cache.js'
import type { SimulatedModel } from '../replies/model.js'
import type { Seals } from '../thinking/signatures.js'
import type { WebSearch } from './web-search.js'

/** What every request shares. */
export interface Backend {
  readonly model: SimulatedModel
  readonly table: ModelTable
  readonly cache: PromptCache
  readonly memo: TokenMemo
  readonly seals: Seals
  readonly fingerprints: Fingerprints
  readonly search: WebSearch
  newId(prefix: 'msg' | 'req' | 'toolu' | 'srvtoolu'): string
}

/** What is known of the request that is answered. */
export interface AnswerContext {
  readonly backend: Backend
  readonly source: string
  readonly started: number
  readonly signal: AbortSignal
}
