import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Agent } from './agent.js'
import type { Judged } from './judge-call.js'

export const INTERRUPTED = 'Interrupted by the user. The call may or may not have run to its end.'

/** What came of a call, and what plugins made of it on the way to the model. */
export interface Outcome {
  readonly result: ToolResult
  readonly changes: readonly { readonly owner: string; readonly value: ToolResult }[]
}

/** Runs a judged call. Whatever goes wrong becomes a result: the model can read it, and the loop goes on. */
export async function runCall(agent: Agent, judged: Judged): Promise<Outcome> {
  const { call } = judged
  if ('denied' in judged) return failure(judged.denied)
  agent.emit({ type: 'tool-start', call })
  try {
    const result = await untilAborted(judged.tool.run(judged.input, agent.toolContext(call)), agent.signal)
    const { changes } = await agent.hooks.transform('PostToolUse', { call, value: result })
    return finish(agent, call, { result, changes })
  } catch (error) {
    if (agent.signal.aborted) return finish(agent, call, failure(INTERRUPTED))
    const failed = failure((error as Error)?.message || 'The tool failed without saying why.')
    const event = { call, error: error as Error, value: failed.result }
    const { changes } = await agent.hooks.transform('PostToolUseFailure', event)
    return finish(agent, call, { ...failed, changes })
  }
}

export function failure(text: string): Outcome {
  return { result: { content: [{ type: 'text', text }], isError: true }, changes: [] }
}

function finish(agent: Agent, call: ToolCall, outcome: Outcome): Outcome {
  agent.emit({ type: 'tool-end', call, result: outcome.changes.at(-1)?.value ?? outcome.result })
  return outcome
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
