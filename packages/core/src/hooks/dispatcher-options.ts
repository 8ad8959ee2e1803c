import type { Note } from '../log/edit.js'
import type { NacreError } from '../nacre-error.js'
import type { HookOwner } from './bound-handlers.js'
import type { HookSession } from './handler-context.js'
import type { Timer } from './timer.js'

export interface DispatcherOptions {
  /** In the order of the session's list. */
  readonly plugins: readonly HookOwner[]
  readonly session: HookSession
  /** Whether a plugin is switched on; asked at each dispatch. */
  isOn(plugin: string): boolean
  /** Takes what a plugin has noted, when the dispatch ends. */
  notes(owner: string, notes: readonly Note[]): void
  /** Hears of each handler that failed where the caller does not: HOOK_FAILED or HOOK_TIMEOUT. Must not throw. */
  report(error: NacreError): void
  /** Milliseconds for one handler; 60,000 unless told. */
  readonly timeout?: number
  readonly timer?: Timer
}
