import type { HookContext, ModelInfo, SessionStore } from '@nacre/core'
import type { CompactFlag } from './flags.js'
import type { Settings } from './settings.js'

/** What the parts of the plugin share in one session. */
export interface Parts {
  readonly settings: Settings
  readonly store: SessionStore
  /** The one that the session began with. */
  readonly model: ModelInfo
  /** Read at each use: flags change while a session runs. */
  flag(name: CompactFlag): boolean
  now(): number
  /** The name of the tool that reads the log, while it is installed. */
  recall(): string | undefined
  /** The session as hooks meet it, for background work; none before the session has started. */
  context(): HookContext | undefined
}
