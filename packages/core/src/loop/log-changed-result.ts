import type { ToolCall, ToolResult } from '../contract/tool.js'
import type { Epoch } from '../log/edit.js'
import { knownReferences } from '../prompt/deferred-tools.js'
import type { Agent } from './agent.js'
import { resultBlock } from './result-block.js'
import type { Outcome } from './run-call.js'

/**
 * Logs a result that plugins have changed: what the tool gave stays in the log, and what a plugin made of it is that
 * plugin's edit, in the same batch. Returns what the model will see.
 */
export async function logChangedResult(agent: Agent, call: ToolCall, outcome: Outcome): Promise<ToolResult> {
  const { result, changes } = withKnownReferences(withoutStored(outcome), agent.conversation.epoch())
  const draft = { kind: 'user' as const, content: [resultBlock(call, result)] }
  await agent.conversation.appendEdited(draft, ({ id }) =>
    changes.map(({ owner, value }) => {
      const target = { entry: id, block: 0 }
      const content = [resultBlock(call, value)]
      const change = { kind: 'replace' as const, target, content, ...(value.redacts && { redacts: true as const }) }
      return { owner, reason: `changed the result of ${call.name}`, changes: [change] }
    }),
  )
  return changes.at(-1)?.value ?? result
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
