import type { ToolContext } from '@nacre/core'

let calls = 0

/** A context for a tool that runs without an agent. */
export function toolContext(cwd: string, over: Partial<ToolContext> = {}): ToolContext {
  return { callId: `call-${++calls}`, cwd, signal: new AbortController().signal, progress: () => undefined, ...over }
}
