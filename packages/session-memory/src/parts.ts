import type { SessionStore } from '@nacre/core'
import type { TurnNumbers } from './covering/turn-numbers.js'
import type { NotesBook } from './notes-book.js'
import type { Settings } from './settings.js'
import type { Desk } from './update/desk.js'
import type { Spending } from './update/spending.js'

/** `updates`: notes are written. `relief`: they are offered when context has to be freed. */
export const FLAGS = { updates: true, relief: true } as const satisfies Record<string, boolean>

export type SessionMemoryFlag = keyof typeof FLAGS

/** What the parts of the plugin share in one session. */
export interface Parts {
  readonly settings: Settings
  readonly store: SessionStore
  readonly book: NotesBook
  readonly turns: TurnNumbers
  readonly desk: Desk
  readonly spending: Spending
  /** Read at each use: flags change while a session runs. */
  flag(name: SessionMemoryFlag): boolean
  now(): number
}
