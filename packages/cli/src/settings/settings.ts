import type { CommandSettings } from '@nacre/core/node'

/** What settings files and the command line may say. Files are merged in order: the user's, the project's, its local one. */
export interface Settings {
  readonly model?: string
  /** Tokens, where the model has another window than is known. */
  readonly contextWindow?: number
  readonly permissions?: {
    readonly mode?: 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions'
    readonly allow?: readonly string[]
    readonly deny?: readonly string[]
    readonly ask?: readonly string[]
    readonly workspace?: readonly string[]
  }
  readonly flags?: Readonly<Record<string, boolean>>
  /** Shell commands by hook. */
  readonly hooks?: CommandSettings
  /** Packages that export a plugin, with the options it is made with. */
  readonly plugins?: readonly (
    | string
    | { readonly package: string; readonly options?: Readonly<Record<string, unknown>> }
  )[]
  readonly compact?: { readonly policy?: 'fidelity' | 'balanced' | 'economy'; readonly instructions?: string }
  /** In the user's file only: servers by name. A project names its own in `.mcp.json`. */
  readonly mcpServers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** In the user's file only: servers of projects that may start, as `name#fingerprint`. */
  readonly approvedMcpServers?: readonly string[]
}
