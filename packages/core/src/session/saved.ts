import type { Spent } from '../cost/cost-ledger.js'
import { coreStateIn } from '../log/core-state.js'
import type { Entry } from '../log/entry.js'
import type { Composition } from '../prompt/compose-epoch.js'
import type { Ttl } from '../request/markers.js'
import type { TokenWatchState } from '../tokens/token-watch.js'
import type { ReadLog } from './read-log.js'

/** What a checkpoint keeps of a session besides its view. */
export interface Saved {
  /** The first is the one that the session began with. */
  readonly compositions: readonly Composition[]
  readonly spent: Readonly<Record<string, Spent>>
  readonly tokens: TokenWatchState
  readonly responses: number
  readonly ttl: Ttl
}

/** What the log says about its own beginning. */
export function savedIn({ entries, checkpoint }: ReadLog): Partial<Saved> {
  if (checkpoint) return checkpoint as Partial<Saved>
  const first = entries.map(compositionIn).find((composition) => composition !== undefined)
  return first ? { compositions: [first], ttl: first.ttl } : {}
}

/** Compositions that an entry of the log holds. */
export function compositionsIn(entry: Entry): readonly Composition[] {
  const own = compositionIn(entry)
  if (own) return [own]
  const value = coreStateIn<Partial<Saved>>(entry, 'checkpoint')
  return value?.compositions ?? []
}

/** The first entry of a session. */
type EpochState = Composition & { readonly ttl: Ttl }

function compositionIn(entry: Entry): EpochState | undefined {
  return coreStateIn<EpochState>(entry, 'epoch')
}
