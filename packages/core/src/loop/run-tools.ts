import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Epoch } from '../log/edit.js'
import type { Block } from '../log/entry.js'
import { knownReferences } from '../prompt/deferred-tools.js'
import type { Agent } from './agent.js'
import type { EarlyCalls } from './early-calls.js'
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
  const outcome = withoutStored(await (early.take(call.id) ?? judgeAndRun(agent, call)))
  const { result, changes, ran } = withKnownReferences(outcome, agent.conversation.epoch())
  const draft = { kind: 'user' as const, content: [resultBlock(call, result)] }
  // What the tool gave stays in the log; what a plugin made of it is that plugin's edit, and never left behind.
  if (changes.length === 0) await agent.conversation.append(draft)
  else {
    await agent.conversation.appendEdited(draft, ({ id }) =>
      changes.map(({ owner, value }) => {
        const change = {
          kind: 'replace' as const,
          target: { entry: id, block: 0 },
          content: [resultBlock(call, value)],
        }
        return { owner, reason: `changed the result of ${call.name}`, changes: [change] }
      }),
    )
  }
  if (ran) tell(agent, { ...ran, id: call.id }, ran.id, changes.at(-1)?.value ?? result)
}

/**
 * What a plugin has put into a blob is there and nowhere else: not as the tool gave it, nor as others changed it before.
 * Who changes the result after that carries the words for the log along, and has an edit of its own.
 */
function withoutStored(outcome: Outcome): Outcome {
  const content = outcome.changes.findLast(({ value }) => value.logged)?.value.logged
  if (!content) return outcome
  const stored = outcome.changes.findIndex(({ value }) => value.logged === content)
  return { ...outcome, result: { ...outcome.result, content }, changes: outcome.changes.slice(stored) }
}

/** What would be refused with every later request never gets into the log. */
function withKnownReferences(outcome: Outcome, epoch: Epoch): Outcome {
  const known = ({ content, ...rest }: ToolResult) => ({ ...rest, content: knownReferences(content, epoch) })
  const changes = outcome.changes.map(({ owner, value }) => ({ owner, value: known(value) }))
  return { ...outcome, result: known(outcome.result), changes }
}

/** A call that began in an answer that broke off is told of under the name that it has in the whole one. */
function tell(agent: Agent, call: ToolCall, begunAs: string, result: ToolResult): void {
  if (call.id !== begunAs) agent.emit({ type: 'tool-start', call })
  agent.emit({ type: 'tool-end', call, result })
}

function resultBlock(call: ToolCall, { content, isError }: ToolResult): Block {
  const shown = content.filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: shown.length > 0 ? shown : [{ type: 'text', text: '(no output)' }],
    ...(isError && { is_error: true }),
  }
}
