import { late } from '../async/late.js'
import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Agent } from './agent.js'
import type { EarlyCalls } from './early-calls.js'
import { resultBlock } from './result-block.js'
import { judgeAndRun, type Outcome } from './run-call.js'

/** Runs the calls of an answer. Neighbours that mind no company run side by side, the others one after the other. */
export async function runTools(agent: Agent, calls: readonly ToolCall[], early: EarlyCalls): Promise<void> {
  for (let next = 0; next < calls.length; ) {
    const group = companions(agent, calls, next)
    const ends = await Promise.allSettled(group.map((call) => runOne(agent, call, early)))
    // Only when none of them runs any more: what comes next must not find them at work.
    for (const end of ends) if (end.status === 'rejected') throw end.reason
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

/** Each result is logged as soon as it is there, so that a crash loses none that was finished; told is what is logged. */
async function runOne(agent: Agent, call: ToolCall, early: EarlyCalls): Promise<void> {
  const outcome = await (early.take(call.id) ?? judgeAndRun(agent, call))
  const result = await (isPlain(outcome) ? log(agent, call, outcome) : logChanged(agent, call, outcome))
  const { ran } = outcome
  if (ran) tell(agent, { ...ran, id: call.id }, ran.id, result)
}

/** A call that began in an answer that broke off is told of under the name that it has in the whole one. */
function tell(agent: Agent, call: ToolCall, begunAs: string, result: ToolResult): void {
  if (call.id !== begunAs) agent.emit({ type: 'tool-start', call })
  agent.emit({ type: 'tool-end', call, result })
}

/** Whether nobody has changed a result, and nothing in it refers to a tool. */
function isPlain({ result, changes }: Outcome): boolean {
  return changes.length === 0 && !result.content.some(({ type }) => type === 'tool_reference')
}

async function log({ conversation }: Agent, call: ToolCall, { result }: Outcome): Promise<ToolResult> {
  await conversation.append({ kind: 'user', content: [resultBlock(call, result)] })
  return result
}

const changes = late(() => import('./log-changed-result.js'))

async function logChanged(...changed: Parameters<typeof log>): Promise<ToolResult> {
  const { logChangedResult } = await changes()
  return logChangedResult(...changed)
}
