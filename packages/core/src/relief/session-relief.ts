import type { Draft, Part, Pressure } from '../contract/relief.js'
import type { Edit, Receipt } from '../log/edit.js'
import type { BlockPlace } from '../request/markers.js'
import type { RenderedMessage } from '../request/rendered.js'

/** How a session frees context: by itself under pressure, when a person asks, and with what background work proposes. */
export interface SessionRelief {
  /**
   * Climbs the rungs until the target is reached; whether the view became smaller. `gap`: the tokens that the API said
   * are too many. One climb at a time: a second one waits. At a turn boundary only.
   */
  relieve(pressure: Pressure, options: RelieveOptions): Promise<boolean>
  /** Folds because a person asks: neither the breaker nor the guard against climbs without progress stops it. */
  compact(options: CompactOptions): Promise<CompactOutcome>
  /** Checks, completes and appends a draft of background work. */
  install(owner: string, draft: Draft, trigger: Receipt['trigger']): Promise<Edit | { readonly refused: string }>
  /** The block before the next cut, as far as is known: a cache entry that ends there will survive it. */
  standing(messages: readonly RenderedMessage[]): BlockPlace | undefined
}

export interface RelieveOptions {
  readonly signal: AbortSignal
  readonly gap?: number
}

export interface CompactOptions {
  readonly instructions?: string
  /** Folds only what follows the beginning of a round, or what stands before it; the rest stays. */
  readonly part?: Part
  /** Gives the receipt and changes nothing. */
  readonly dryRun?: boolean
  /** The receipt of a dry run: installs exactly what it showed, as long as the view is the same. */
  readonly use?: Receipt
  readonly signal: AbortSignal
}

export type CompactOutcome =
  | { readonly edit: Edit; readonly receipt: Receipt }
  | { readonly receipt: Receipt; readonly edit?: never }
  | { readonly refused: string; readonly edit?: never }
