import type { Dispatcher, Id, SessionStore, View } from '@nacre/core'
import type { ResultLimits } from './result-limits.js'
import type { ResultsByMessage } from './results-by-message.js'
import type { ToolLimits } from './tool-limits.js'

/** The plugin's name, its flag and the owner of its state. */
export const OWNER = 'tool-result-storage'

export type StorageFlag = 'results' | 'messages' | 'prompts'

/** What the parts of the plugin share in one session. */
export interface StorageParts {
  readonly sessionId: Id
  readonly store: SessionStore
  readonly tools: ToolLimits
  readonly readTool: string | undefined
  /** Calls whose results have been judged by this process. */
  readonly judged: Set<Id>
  flag(name: StorageFlag): boolean
  limits(view: View): ResultLimits
  /** Each conversation has a dispatcher of its own, a fork too. */
  resultsOf(hooks: Dispatcher): ResultsByMessage
}
