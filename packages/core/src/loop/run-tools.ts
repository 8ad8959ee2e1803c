import { isYes } from '../async.js'
import { messageOf } from '../errors.js'
import { knownReferences } from '../prompt/epoch.js'
import type { SessionEvent } from '../types/events.js'
import type { Block, Epoch } from '../types/log.js'
import type { ToolCall, ToolResult } from '../types/tool.js'
import type { Agent } from './agent.js'
import type { MendedBlock } from './mend-block.js'
import { callsOf, judgeAndRun, notRun, type Outcome } from './run-call.js'

/** Runs the calls of an answer. Neighbours that mind no company run side by side, the others one after the other. */
export async function runTools(agent: Agent, calls: readonly ToolCall[], early: EarlyCalls): Promise<void> {
  for (let next = 0; next < calls.length; ) {
    const group = companions(agent, calls, next)
    const ends = await Promise.allSettled(group.map((call) => runOne(agent, call, early)))
    // Only when none of them runs any more: what comes next must not find them at work.
    next += group.length
    const failed = ends.find((end) => end.status === 'rejected')
    if (!failed) continue
    tellUnreached(agent, calls.slice(next), failed.reason)
    throw failed.reason
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
    return !tool || isYes(tool.isConcurrencySafe(tool.schema.parse(input)))
  } catch {
    return true
  }
}

/**
 * Each result is logged as soon as it is there, so that a crash loses none that was finished; told is what is logged. What
 * can not be logged has its end too: nobody waits for a call that is over.
 */
async function runOne(agent: Agent, call: ToolCall, early: EarlyCalls): Promise<void> {
  const outcome = await (early.take(call.id) ?? judgeAndRun(agent, call))
  try {
    tellEnd(agent, call, outcome, await logResult(agent, call, outcome))
  } catch (error) {
    tellEnd(agent, call, outcome, outcome.result)
    throw error
  }
}

function tellEnd(agent: Agent, { id }: ToolCall, { call, denied }: Outcome, result: ToolResult): void {
  agent.emit({ type: 'tool-end', call: { ...call, id }, result, ...(denied && { denied }) })
}

/** Calls whose turn never comes, since the query fails before. The next one closes them in the log. */
function tellUnreached(agent: Agent, calls: readonly ToolCall[], error: unknown): void {
  const reason = `The query failed before the call began, so it did not run: ${messageOf(error)}`
  for (const call of calls) {
    const outcome = notRun(call, { by: 'interruption', reason })
    tellEnd(agent, call, outcome, outcome.result)
  }
}

/** Calls that began while the answer was still being written. */
export interface EarlyCalls {
  /** Starts a call if it, and all before it, only read and mind no company. One with a problem has failed already. */
  consider({ block, problem }: MendedBlock): void
  /**
   * The answer is not kept, and its calls are over. What they had begun is kept for the same call in the next one: nothing
   * runs twice.
   */
  breakOff(): void
  take(id: string): Promise<Outcome> | undefined
}

export function earlyCalls(agent: Agent): EarlyCalls {
  const begun = new Map<string, EarlyCall>()
  const left = new Map<string, EarlyCall[]>()
  const unreadable = new Map<string, Promise<Outcome>>()
  /** Whether a call has come that has to wait: what stands behind it may have to see what it does. */
  let isHeld = false
  return {
    consider({ block, problem }) {
      const [call] = callsOf([block])
      if (!call) return
      if (problem !== undefined) {
        unreadable.set(call.id, Promise.resolve(notRun(call, { by: 'input', name: call.name, reason: problem })))
        return
      }
      isHeld ||= !mayStartEarly(agent, call)
      if (isHeld) return
      const key = `${call.name}\0${JSON.stringify(call.input)}`
      const kept = left.get(key)?.pop()
      kept?.goOnAs(call.id)
      begun.set(call.id, kept ?? beginEarly(agent, call, key))
    },
    breakOff() {
      for (const call of begun.values()) {
        call.breakOff()
        left.set(call.key, [...(left.get(call.key) ?? []), call])
      }
      begun.clear()
      unreadable.clear()
      isHeld = false
    },
    take: (id) => unreadable.get(id) ?? begun.get(id)?.outcome,
  }
}

interface EarlyCall {
  readonly key: string
  readonly outcome: Promise<Outcome>
  /** Another answer asks for the same: it is told of under the name that it has there. */
  goOnAs(id: string): void
  /** The answer that asked for it is not kept. Who has heard of its start hears of its end. */
  breakOff(): void
}

const BROKEN_OFF = 'The answer that asked for this call broke off: what the call gave is not used for it.'

function beginEarly(agent: Agent, call: ToolCall, key: string): EarlyCall {
  let started: ToolCall | undefined
  let name: string | undefined = call.id
  const told = () => (started && name !== undefined ? { ...started, id: name } : undefined)
  const tellStart = () => {
    const now = told()
    if (now) agent.emit({ type: 'tool-start', call: now })
  }
  const emit = (event: SessionEvent) => {
    if (event.type !== 'tool-start') return agent.emit(event)
    started = event.call
    tellStart()
  }
  return {
    key,
    outcome: judgeAndRun({ ...agent, emit }, call),
    goOnAs(id) {
      name = id
      tellStart()
    },
    breakOff() {
      const now = told()
      name = undefined
      const result = { content: [{ type: 'text', text: BROKEN_OFF }], isError: true as const }
      if (now) agent.emit({ type: 'tool-end', call: now, result })
    },
  }
}

function mayStartEarly(agent: Agent, { name, input }: ToolCall): boolean {
  const tool = agent.tool(name)
  if (!tool) return false
  try {
    const parsed = tool.schema.parse(input)
    return isYes(tool.isReadOnly(parsed)) && isYes(tool.isConcurrencySafe(parsed))
  } catch {
    return false
  }
}

/**
 * Logs a result. What the tool gave stays in the log, and what a plugin made of it is that plugin's edit, in the same
 * batch. Returns what the model will see.
 */
async function logResult({ conversation }: Agent, call: ToolCall, outcome: Outcome): Promise<ToolResult> {
  const { result, changes } = withKnownReferences(withoutStored(outcome), conversation.epoch())
  const draft = { kind: 'user' as const, content: [resultBlock(call, result)] }
  if (changes.length === 0) {
    await conversation.append(draft)
    return result
  }
  await conversation.appendEdited(draft, ({ id }) =>
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

/** A result as the log has it. An empty one confuses models. */
function resultBlock(call: ToolCall, { content, isError }: ToolResult): Block {
  const shown = content.filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
  return {
    type: 'tool_result',
    tool_use_id: call.id,
    content: shown.length > 0 ? shown : [{ type: 'text', text: '(no output)' }],
    ...(isError && { is_error: true }),
  }
}
