import type { NewEntry } from '../conversation/conversation.js'
import { isNacreError, NacreError } from '../errors.js'
import { isThinking } from '../request/renderer.js'
import type { RecoveryKind } from '../types/events.js'
import type { AssistantEntry, Block, Change, Usage } from '../types/log.js'
import type { CallFields, Model, ModelEnd, ModelEvent, Request } from '../types/model.js'
import type { Agent, Caller } from './agent.js'
import { type MendedBlock, mendBlock } from './mend-block.js'
import { callsOf } from './run-call.js'
import { type EarlyCalls, earlyCalls } from './run-tools.js'

const CONTINUATIONS = 3
const RESUMES = 25
const CONTINUE = 'Your answer was cut at the output limit. Go on from where it ended, in smaller pieces.'
const EMPTY = 'Please continue.'

interface Completed {
  readonly logged: AssistantEntry
  readonly early: EarlyCalls
}

/** An answer that came to its end: cut ones are asked for again or gone on with, paused ones resumed, empty ones nudged. */
export async function completeAnswer(agent: Agent): Promise<Completed> {
  const turn: Turn = { model: agent.model(), isRaised: false, early: earlyCalls(agent) }
  const done = { continuations: 0, resumes: 0, nudges: 0 }
  for (;;) {
    const { entry } = await askUntilAnswered(agent, turn)
    if (await isToBeAskedAgain(agent, turn, entry.stop)) {
      turn.early.breakOff()
      continue
    }
    const isCut = entry.stop === 'max_tokens'
    // A call that was cut is no call: its input is half.
    const content = isCut ? entry.content.filter(({ type }) => type !== 'tool_use') : entry.content
    const [kind, say] = goingOn(entry.stop, content, done)
    const logged = await log(agent, { ...entry, content }, say)
    if (!kind) return { logged, early: turn.early }
    if (isCut) turn.early.breakOff()
    tell(agent, kind, done.continuations || 1, say ?? 'The server paused its turn.')
  }
}

const NEVER_ENDED = '(A tool of the server was called here, and did not come to an end.)'

/**
 * Leaves out what the server began with tools of its own and never ended: behind a new message the API refuses a call
 * of them that has no result.
 */
export async function leaveOutServerCalls({ conversation, view }: Agent): Promise<void> {
  const last = conversation.projection.timeline.rounds.findLast(({ hasResponse }) => hasResponse)
  const answers = last?.entries.filter((entry) => entry.kind === 'assistant') ?? []
  const blocks = answers.flatMap(({ id, content }) => content.map((block, index) => ({ block, entry: id, index })))
  const answered = new Set(blocks.map(({ block }) => block.tool_use_id))
  const isShown = (entry: string, block: number) => view().shown({ entry, block })[0]?.type === 'server_tool_use'
  const changes = blocks.flatMap(({ block, entry, index }): Change[] =>
    block.type === 'server_tool_use' && !answered.has(block.id) && isShown(entry, index)
      ? [{ kind: 'replace', target: { entry, block: index }, content: [{ type: 'text', text: NEVER_ENDED }] }]
      : [],
  )
  if (changes.length > 0) {
    await conversation.edit({ owner: 'core', reason: 'a tool of the server that never ended', changes })
  }
}

/** An answer that is worth nothing as it is: the next one gets more room to write, or a smaller view. */
async function isToBeAskedAgain(agent: Agent, turn: Turn, stop: string): Promise<boolean> {
  if (stop === 'max_tokens' && !turn.isRaised) {
    turn.isRaised = true
    tell(agent, 'raise-output', 1, 'The answer was cut at the output limit.')
    return true
  }
  if (stop !== 'model_context_window_exceeded') return false
  tell(agent, 'overflow', 1, 'The answer filled the window.')
  if (await agent.relieve('overflow')) return true
  throw new NacreError('PROMPT_TOO_LONG', 'The answer does not fit into what is left of the window.')
}

/** How to go on from an answer that is no end, and what is said to the model for it; so often and no more. */
function goingOn(
  stop: string,
  content: readonly Block[],
  done: { continuations: number; resumes: number; nudges: number },
): [kind?: RecoveryKind, say?: string] {
  if (stop === 'max_tokens' && done.continuations++ < CONTINUATIONS) return ['continue-output', CONTINUE]
  const isPaused = stop === 'pause_turn' && callsOf(content).length === 0
  if (isPaused && done.resumes++ < RESUMES) return ['resume-pause']
  const isEmpty = content.every(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  if (stop === 'end_turn' && isEmpty && done.nudges++ < 1) return ['empty-answer', EMPTY]
  return []
}

/** Keeps an answer, in one batch with what is said about it: no crash leaves one that nobody goes on from. */
async function log(agent: Agent, entry: Answer['entry'], say: string | undefined): Promise<AssistantEntry> {
  const nudge = { kind: 'user' as const, content: [{ type: 'text', text: say }], isMeta: true as const }
  const [logged] = await agent.conversation.append(entry, ...(say === undefined ? [] : [nudge]))
  agent.emit({ type: 'response', entry: logged as AssistantEntry })
  return logged as AssistantEntry
}

function tell(agent: Agent, kind: RecoveryKind, attempt: number, reason: string): void {
  agent.emit({ type: 'recovery', kind, attempt, reason })
}

const OVERLOADS_BEFORE_FALLBACK = 3

/** What all requests of a turn share: a model that stands in does so until the turn ends, and no call runs twice. */
interface Turn {
  model: Model
  /** Whether the model may write as much as it can. */
  isRaised: boolean
  readonly early: EarlyCalls
}

/**
 * Asks the model until it has answered: again after what passes by itself, on a smaller view after an overflow, on
 * another model when this one stays overloaded. What can't be helped is thrown, and nothing of it is kept.
 */
async function askUntilAnswered(agent: Agent, turn: Turn): Promise<Answer> {
  let overloads = 0
  let isThinkingDropped = false
  for (let attempt = 1; ; ) {
    try {
      const fields = turn.isRaised ? { maxTokens: turn.model.info.maxOutput } : {}
      return await callModel(agent, turn.model, fields, { isTaken: agent.hasCall, hear: turn.early.consider })
    } catch (error) {
      turn.early.breakOff()
      agent.signal.throwIfAborted()
      if (isNacreError(error, 'PROMPT_TOO_LONG') || isNacreError(error, 'REQUEST_TOO_LARGE')) {
        agent.emit({ type: 'recovery', kind: 'overflow', attempt, reason: error.message })
        if (!(await agent.relieve('overflow', error))) throw error
        continue
      }
      if (isNacreError(error, 'BOUND_THINKING') && !isThinkingDropped) {
        isThinkingDropped = true
        await dropBoundThinking(agent, error)
        continue
      }
      if (!isPassing(error)) throw error
      overloads += error.code === 'OVERLOADED' ? 1 : 0
      const other = overloads >= OVERLOADS_BEFORE_FALLBACK ? agent.fallBack() : undefined
      if (other && other !== turn.model) {
        agent.emit({ type: 'recovery', kind: 'fallback', attempt, reason: `${turn.model.info.id} stays overloaded` })
        turn.model = other
        attempt = 1
      } else if (!(await backOff(agent, error, attempt++))) throw error
    }
  }
}

/** A whole answer. Nothing of a broken one is ever kept. */
interface Answer {
  readonly entry: NewEntry<AssistantEntry>
}

interface Listener {
  /** Whether an earlier call has this id. */
  isTaken(id: string): boolean
  /** Hears of each block as it is finished. */
  hear(mended: MendedBlock): void
}

const NOBODY: Listener = { isTaken: () => false, hear: () => undefined }

/** Asks the model once and reads its answer to the end. */
export async function callModel(
  caller: Caller,
  model: Model,
  fields: CallFields,
  listener: Listener = NOBODY,
): Promise<Answer> {
  const { signal } = caller
  const request: Request = await caller.request(model, fields)
  const taken = takeBlocks(listener)
  let messageId = ''
  let end: ModelEnd | undefined
  let begun: Usage | undefined
  try {
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'start') begun = event.usage
      // Much of an answer may have arrived when it is stopped. Only one that is whole is worth keeping.
      if (event.type !== 'end') signal.throwIfAborted()
      if (event.type === 'start') messageId = event.messageId
      else if (event.type === 'delta') caller.emit(event)
      else if (event.type === 'end') end = event
      else taken.add(event)
    }
    if (!end) throw new NacreError('STREAM_CUT', 'The answer broke off before its end.')
  } catch (error) {
    if (begun) caller.brokenOff(model, begun)
    throw error
  }
  caller.answered(request, model, end)
  const { stop, usage } = end
  const entry = {
    kind: 'assistant' as const,
    content: taken.content(stop),
    model: model.info.id,
    messageId,
    usage,
    stop,
    prefix: request.prefix,
  }
  return { entry }
}

type BlockEvent = Extract<ModelEvent, { readonly type: 'block' }>

/** The blocks of an answer in their order, each as it can be sent back. */
function takeBlocks({ isTaken, hear }: Listener) {
  const blocks: (MendedBlock & { readonly index: number })[] = []
  const ids = new Set<string>()
  return {
    add({ index, block, problem }: BlockEvent) {
      const mended = mendBlock(block, problem, (id) => ids.has(id) || isTaken(id))
      if (!mended) return
      if (mended.block.type === 'tool_use') ids.add(mended.block.id as string)
      blocks.push({ index, ...mended })
      hear(mended)
    },
    content(stop: string) {
      // Half a call is none where the output limit has cut it. Anywhere else it is a mistake that the model should hear of.
      const whole = stop === 'max_tokens' ? blocks.filter(({ problem }) => problem === undefined) : blocks
      return whole.sort((a, b) => a.index - b.index).map(({ block }) => block)
    },
  }
}

const FIRST = 500
const LONGEST = 32_000
const TRIES = 8
/** Limits on rates begin anew within minutes: a server that names hours or years is not taken by its word. */
const LONGEST_ASKED = 300_000

const PASSING = new Set(['OVERLOADED', 'RATE_LIMITED', 'SERVER', 'NETWORK', 'STREAM_CUT'])

/** Whether the same request may succeed later. A spend cap will not. */
export function isPassing(error: unknown): error is NacreError {
  return isNacreError(error) && PASSING.has(error.code)
}

/** Waits before another try; `false` when there have been enough. */
export async function backOff(caller: Caller, error: NacreError, attempt: number): Promise<boolean> {
  if (attempt > TRIES) return false
  caller.emit({ type: 'recovery', kind: 'retry', attempt, reason: error.message })
  const own = Math.min(LONGEST, FIRST * 2 ** (attempt - 1)) * (1 - caller.random() / 4)
  const asked = (error.details.retryAfter ?? Number.NaN) * 1000
  await caller.wait(asked >= 0 ? Math.min(LONGEST_ASKED, asked) : own)
  return true
}

/** Takes all thinking out of the view by an edit: the API said that some of it does not fit where it stands. */
async function dropBoundThinking(agent: Agent, error: NacreError): Promise<void> {
  agent.emit({ type: 'recovery', kind: 'drop-thinking', attempt: 1, reason: error.message })
  const changes = agent.conversation.rendering().messages.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, ref }): Change[] => {
      return ref && isThinking(block) ? [{ kind: 'replace', target: ref, content: [] }] : []
    }),
  )
  if (changes.length)
    await agent.conversation.edit({ owner: 'core', reason: 'thinking bound to another prefix', changes })
}
