import type { Awaitable } from '@nacre/core'
import type { Environment } from './expand-variables.js'
import type { FoundServer } from './found-server.js'
import type { McpServer } from './mcp-server.js'

export interface McpOptions {
  readonly servers?: Readonly<Record<string, McpServer>>
  /** Where servers are named besides: `~/.nacre/settings.json` and `.mcp.json` in the working directory unless told. */
  readonly files?: { readonly user?: string | false; readonly project?: string | false }
  /** Asked about each server of the project that the person's settings do not approve. Without it, none of them starts. */
  approve?(server: FoundServer): Awaitable<boolean>
  /** The share of the model's window above which tools are found by ToolSearch; 0.1 unless told, 0 always, 1 never. */
  readonly deferAbove?: number
  /** Milliseconds for a server to start and list its tools; 30,000 unless told. */
  readonly startTimeout?: number
  /** Milliseconds for a call without any sign of progress; 120,000 unless told. */
  readonly callTimeout?: number
  /** Stands for `${NAME}` in files and options; that of the process unless told. */
  readonly environment?: Environment
  /** Waits before a server is connected again. */
  wait?(milliseconds: number, signal: AbortSignal): Awaitable<void>
}
