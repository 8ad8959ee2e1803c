import type { Settings } from '../settings/settings.js'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** What the command line asks for, checked; a session is opened by it. */
export interface RunOptions {
  /** `-p`: answer and end. Without it the program is interactive. */
  readonly print?: string | true
  readonly output: OutputFormat
  readonly input: 'text' | 'stream-json'
  readonly limits: { readonly maxTurns?: number; readonly maxBudgetUsd?: number }
  readonly open: OpenChoice
  readonly isOffline: boolean
  /** Settings of the command line: they come after all files. */
  readonly overrides: Settings
  /** A prompt to begin an interactive session with. */
  readonly prompt?: string
}

/** Which session to open. `text`: looked for among the titles. */
export type OpenChoice =
  | { readonly kind: 'new'; readonly id?: string }
  | { readonly kind: 'continue'; readonly fork: boolean }
  | { readonly kind: 'resume'; readonly text?: string; readonly fork: boolean }
