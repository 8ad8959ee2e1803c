import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Agent } from './agent.js'
import { type Judged, judgeCall } from './judge-call.js'

const INTERRUPTED = 'Interrupted by the user. The call may or may not have run to its end.'
const NOT_BEGUN = 'Interrupted by the user before the call began: it did not run.'

/** What came of a call, and what plugins made of it on the way to the model. */
export interface Outcome {
  readonly result: ToolResult
  readonly changes: readonly { readonly owner: string; readonly value: ToolResult }[]
  /** The call as it ran, if it did. */
  readonly ran?: ToolCall
}

/** Asks the gates about a call, and runs it if they let it pass and nobody has stopped meanwhile. */
export async function judgeAndRun(agent: Agent, call: ToolCall): Promise<Outcome> {
  if (agent.signal.aborted) return failure(NOT_BEGUN)
  const judged = await judgeCall(agent, call)
  return agent.signal.aborted ? failure(NOT_BEGUN) : runCall(agent, judged)
}

/** Runs a judged call. Whatever goes wrong becomes a result: the model can read it, and the loop goes on. */
async function runCall(agent: Agent, judged: Judged): Promise<Outcome> {
  const { call } = judged
  if ('denied' in judged) return failure(judged.denied)
  agent.emit({ type: 'tool-start', call })
  // Whoever hears of it may have stopped it.
  if (agent.signal.aborted) return { ...failure(NOT_BEGUN), ran: call }
  try {
    // One for each call: many that listen to the same signal are taken for a leak.
    const signal = AbortSignal.any([agent.signal])
    const work = judged.tool.run(judged.input, { ...agent.toolContext(call), signal })
    const result = await untilAborted(work, signal)
    const { changes } = await agent.hooks.transform('PostToolUse', { call, value: result })
    return { result, changes, ran: call }
  } catch (error) {
    if (agent.signal.aborted) return { ...failure(INTERRUPTED), ran: call }
    const failed = failure((error as Error)?.message || 'The tool failed without saying why.')
    const event = { call, error: error as Error, value: failed.result }
    const { changes } = await agent.hooks.transform('PostToolUseFailure', event)
    return { ...failed, changes, ran: call }
  }
}

function failure(text: string): Outcome {
  return { result: { content: [{ type: 'text', text }], isError: true }, changes: [] }
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
