import type { ModelInfo, Plugin, Session } from '@nacre/core'
import type { Permissions } from '@nacre/tools'
import type { Settings } from '../settings/settings.js'
import type { SessionControls } from './session-controls.js'

/** A session with all that the program knows of it beside what the session itself tells. */
export interface OpenedSession {
  readonly session: Session
  readonly model: ModelInfo
  readonly settings: Settings
  readonly permissions: Permissions
  readonly plugins: readonly Plugin[]
  readonly isOffline: boolean
  readonly controls: SessionControls
  /** For people, once: what was taken for granted, what was left out and why. */
  readonly notices: readonly string[]
  /** Ends the session and all that was started for it. */
  close(): Promise<void>
}
