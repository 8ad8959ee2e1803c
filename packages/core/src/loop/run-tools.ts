import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Block, Json } from '../log/entry.js'
import type { Agent } from './agent.js'
import { type Judged, judgeCall } from './judge-call.js'
import { failure, INTERRUPTED, runCall } from './run-call.js'

export function callsOf(content: readonly Block[]): ToolCall[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ id: block.id as string, name: block.name as string, input: block.input as Json }))
}

/** Calls that began while the answer was still being written. */
export interface EarlyCalls {
  /** Starts a call if it only reads and minds no company. */
  consider(block: Block): void
  take(id: string): Promise<ToolResult> | undefined
}

export function earlyCalls(agent: Agent): EarlyCalls {
  const started = new Map<string, Promise<ToolResult>>()
  return {
    consider(block) {
      const [call] = callsOf([block])
      if (call && mayStartEarly(agent, call)) started.set(call.id, judgeAndRun(agent, call))
    },
    take: (id) => started.get(id),
  }
}

function mayStartEarly(agent: Agent, { name, input }: ToolCall): boolean {
  const tool = agent.tool(name)
  if (!tool) return false
  try {
    const parsed = tool.schema.parse(input)
    return tool.isReadOnly(parsed) && tool.isConcurrencySafe(parsed)
  } catch {
    return false
  }
}

async function judgeAndRun(agent: Agent, call: ToolCall): Promise<ToolResult> {
  return runCall(agent, await judgeCall(agent, call))
}

/** Runs the calls of an answer. Neighbours that mind no company run side by side, the others one after the other. */
export async function runTools(agent: Agent, calls: readonly ToolCall[], early: EarlyCalls): Promise<void> {
  for (let next = 0; next < calls.length; ) {
    const group = companions(agent, calls, next)
    await Promise.all(group.map((call) => runOne(agent, call, early)))
    next += group.length
  }
}

function companions(agent: Agent, calls: readonly ToolCall[], start: number): readonly ToolCall[] {
  let end = start
  while (end < calls.length && isCompanionable(agent, calls[end] as ToolCall)) end += 1
  return calls.slice(start, Math.max(end, start + 1))
}

function isCompanionable(agent: Agent, { name, input }: ToolCall): boolean {
  const tool = agent.tool(name)
  try {
    return tool?.isConcurrencySafe(tool.schema.parse(input)) ?? true
  } catch {
    return true
  }
}

/** Each result is logged as soon as it is there, so that a crash loses none that was finished. */
async function runOne(agent: Agent, call: ToolCall, early: EarlyCalls): Promise<void> {
  const result = await outcome(agent, call, early)
  const { content, isError } = result
  const block: Block = { type: 'tool_result', tool_use_id: call.id, content, ...(isError && { is_error: true }) }
  await agent.conversation.append({ kind: 'user', content: [block] })
}

async function outcome(agent: Agent, call: ToolCall, early: EarlyCalls): Promise<ToolResult> {
  const begun = early.take(call.id)
  if (begun) return begun
  if (agent.signal.aborted) return failure(INTERRUPTED)
  const judged: Judged = await judgeCall(agent, call)
  return agent.signal.aborted ? failure(INTERRUPTED) : runCall(agent, judged)
}
