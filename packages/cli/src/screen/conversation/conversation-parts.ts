import type { RunOptions } from '../../arguments/run-options.js'
import type { OpenNeeds } from '../../session/open-needs.js'
import type { OpenedSession } from '../../session/opened-session.js'
import type { Terminal } from '../../terminal.js'
import type { Dialogs } from '../dialog/dialogs.js'
import type { ScreenStore } from '../state/screen-store.js'

/** What a conversation is held with. */
export interface ConversationParts {
  readonly terminal: Terminal
  readonly options: RunOptions
  readonly store: ScreenStore
  readonly dialogs: Dialogs
  readonly hasColour: boolean
  /** Falls when the screen ends. */
  readonly signal: AbortSignal
  open(options: RunOptions, needs: OpenNeeds): Promise<OpenedSession>
  /** The person wants to leave. */
  end(): void
}
