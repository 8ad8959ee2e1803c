import type { OutputFormat } from './run-options.js'

/** What commander reads from the command line, before it is checked as a whole. */
export interface RunFlags {
  readonly print?: string | true
  readonly outputFormat?: OutputFormat
  readonly inputFormat?: 'text' | 'stream-json'
  readonly maxTurns?: number
  readonly maxBudget?: number
  readonly allowedTools?: readonly string[]
  readonly disallowedTools?: readonly string[]
  readonly permissionMode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions'
  readonly model?: string
  readonly continue?: true
  readonly resume?: string | true
  readonly forkSession?: true
  readonly sessionId?: string
  readonly offline?: true
  readonly flags?: Readonly<Record<string, boolean>>
  readonly addDir?: readonly string[]
  readonly settings?: string
}
