import type { Block, Id, Usage } from '../log/entry.js'
import type { Tool, ToolCall } from './tool.js'

export type Source = 'main' | 'compact' | 'session_memory' | 'extract' | 'dream' | `agent:${string}` | (string & {})

/** Extends the last request sent and its response, to the byte; open calls get placeholder results. */
export interface ForkOptions {
  readonly source: Source
  readonly prompt: readonly Block[]
  readonly maxTurns: number
  /** Judges calls; tools, thinking, effort and tool_choice never change. */
  allow(call: ToolCall, tool: Tool): boolean
  readonly signal?: AbortSignal
}

/** `covers`: the last entry of the request it extended. */
export interface ForkResult {
  readonly text: string
  readonly stop: string
  readonly covers: Id
  readonly usage: Usage
  readonly turns: number
}
