import type { Block, Json } from '../types/log.js'
import type { Tool, ToolCall, ToolResult } from '../types/tool.js'
import type { Agent } from './agent.js'

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

/** A call that did not do what it should have, in words for the model. */
export function failure(text: string): Outcome {
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

/** A call that may run, or why it may not. */
type Judged =
  | { readonly call: ToolCall; readonly tool: Tool; readonly input: unknown }
  | { readonly call: ToolCall; readonly denied: string }

/** Prepares a call, checks its input and asks every gate: what is judged is what will run. */
async function judgeCall(agent: Agent, asked: ToolCall): Promise<Judged> {
  const tool = agent.tool(asked.name)
  if (!tool) return { call: asked, denied: `There is no tool '${asked.name}', or it is not available now.` }
  const forbidden = agent.forbids(asked, tool)
  if (forbidden !== undefined) return { call: asked, denied: forbidden }
  const { value: call } = await agent.hooks.transform('PrepareToolUse', { tool, value: asked })
  const parsed = parse(tool, call.input)
  if ('problem' in parsed) return { call, denied: `The input does not fit: ${parsed.problem}` }
  const denied = await findObjection(agent, call, tool, parsed.input)
  return denied === undefined ? { call, tool, input: parsed.input } : { call, denied }
}

function parse(tool: Tool, input: Json): { readonly input: unknown } | { readonly problem: string } {
  try {
    return { input: tool.schema.parse(input) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Gates fail closed: a hook that throws or hangs is a no. */
async function findObjection(agent: Agent, call: ToolCall, tool: Tool, input: unknown): Promise<string | undefined> {
  try {
    const gate = await agent.hooks.decide('PreToolUse', { call, tool })
    if (gate?.verdict === 'deny') return gate.reason
    const rule = await tool.check?.(input, agent.toolContext(call))
    if (rule?.verdict === 'deny') return rule.reason
    const question =
      gate?.verdict === 'ask' ? gate : rule?.verdict === 'ask' && gate?.verdict !== 'allow' ? rule : undefined
    return question ? await askPermission(agent, call, question.reason) : undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function askPermission(agent: Agent, call: ToolCall, reason: string): Promise<string | undefined> {
  const verdict = await agent.hooks.decide('PermissionRequest', { call, reason })
  if (verdict) return verdict.verdict === 'deny' ? verdict.reason : undefined
  const said = await agent.askPerson(call, reason)
  if (said === 'allow') return undefined
  if (said === 'deny') return `Permission was not given: ${reason}`
  return 'deny' in said
    ? `The person said no to this call: ${said.deny}`
    : `Permission was not given: ${said.unanswered}`
}

export function callsOf(content: readonly Block[]): ToolCall[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ id: block.id as string, name: block.name as string, input: block.input as Json }))
}
