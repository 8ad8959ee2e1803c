import type { ModelInfo } from '../contract/model.js'
import type { SpentBy } from '../cost/cost-ledger.js'
import type { Entry } from '../log/entry.js'
import type { LoadedPlugin } from '../plugins/load-plugins.js'
import type { Ttl } from '../request/markers.js'

/** What people may want to know of a session beside the conversation. For looking only. */
export interface Inspection {
  /** The one that the next turn goes to. */
  readonly model: ModelInfo
  /** Those that are set up, in order, with what each has brought and how long that took; `session` is the program itself. */
  readonly plugins: readonly Omit<LoadedPlugin, 'context'>[]
  readonly spent: readonly SpentBy[]
  readonly cache: {
    readonly ttl: Ttl
    /** Milliseconds that the cache still keeps what was sent last; none before the first answer. */
    readonly left?: number
  }
  /** The whole log as it is now, oldest first. */
  entries(): AsyncIterable<Entry>
}
