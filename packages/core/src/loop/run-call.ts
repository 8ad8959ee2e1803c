import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Agent } from './agent.js'
import type { Judged } from './judge-call.js'

export const INTERRUPTED = 'Interrupted by the user. The call may or may not have run to its end.'

/** Runs a judged call. Whatever goes wrong becomes a result: the model can read it, and the loop goes on. */
export async function runCall(agent: Agent, judged: Judged): Promise<ToolResult> {
  const { call } = judged
  if ('denied' in judged) return failure(judged.denied)
  agent.emit({ type: 'tool-start', call })
  try {
    const result = await untilAborted(judged.tool.run(judged.input, agent.toolContext(call)), agent.signal)
    const { value } = await agent.hooks.transform('PostToolUse', { call, value: result })
    return finish(agent, call, value)
  } catch (error) {
    if (agent.signal.aborted) return finish(agent, call, failure(INTERRUPTED))
    const failed = failure((error as Error).message || 'The tool failed without saying why.')
    const { value } = await agent.hooks.transform('PostToolUseFailure', { call, error: error as Error, value: failed })
    return finish(agent, call, value)
  }
}

export function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function finish(agent: Agent, call: ToolCall, result: ToolResult): ToolResult {
  agent.emit({ type: 'tool-end', call, result })
  return result
}

/** A tool that does not listen to its signal is left behind: the person is not made to wait for it. */
function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
