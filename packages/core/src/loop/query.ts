import { closeOpenCalls } from '../conversation/conversation.js'
import { isNacreError, messageOf, NacreError } from '../errors.js'
import { mustBeBlocks } from '../hooks/read-answer.js'
import type { EndReason } from '../types/events.js'
import type { Prompt } from '../types/hooks.js'
import type { AssistantEntry } from '../types/log.js'
import type { Agent } from './agent.js'
import { completeAnswer } from './answer.js'
import { callsOf } from './run-call.js'
import { runTools } from './run-tools.js'

const MAX_SENT_BACK = 5
/** More than any task takes that gets on. */
const MOST_TURNS = 1_000

interface QueryEnd {
  readonly reason: EndReason
  readonly error?: NacreError
}

/** Works on a prompt until the model has nothing more to do. The end is always an event with a reason. */
export async function query(agent: Agent, prompt: Prompt | undefined): Promise<QueryEnd> {
  const end = await work(agent, prompt).catch((error: unknown) => toEnd(agent, error))
  agent.emit({ type: 'end', ...end })
  return end
}

async function work(agent: Agent, prompt: Prompt | undefined): Promise<QueryEnd> {
  agent.signal.throwIfAborted()
  // Before anything is logged: what makes room has to find the conversation as it was.
  const full = agent.noRoomFor([])
  if (full) return { reason: 'blocked', error: full }
  await closeOpenCalls(agent.conversation)
  const isSteered = await takeSteered(agent)
  const blocked = prompt ? await submit(agent, prompt) : isSteered ? undefined : mustBeOpen(agent)
  if (blocked) return blocked
  let sentBack = 0
  for (let turn = 1; ; turn++) {
    agent.signal.throwIfAborted()
    if (turn > (agent.limits.maxTurns ?? MOST_TURNS)) return tooMany(agent)
    if (agent.spent() >= agent.limits.maxBudgetUsd) return { reason: 'budget' }
    agent.emit({ type: 'turn-start', turn })
    if (turn > 1) await takeSteered(agent)
    await agent.turnBoundary()
    await agent.relieve('idle')
    const { tokens } = agent.view()
    if (tokens.total > tokens.threshold) await agent.relieve('high')
    await agent.watchSize()

    const { logged, early } = await completeAnswer(agent)
    await agent.watchSize()
    await agent.hooks.collect('PostModelCall', { response: logged, view: agent.view() })
    if (logged.stop === 'refusal') return leaveOut(agent, logged)

    const calls = callsOf(logged.content)
    if (logged.stop === 'pause_turn' && calls.length === 0) return { reason: 'max-turns', error: limitReached(PAUSED) }
    if (calls.length > 0) {
      await runTools(agent, calls, early)
      continue
    }
    if (await takeSteered(agent)) continue
    const reason = sentBack < MAX_SENT_BACK ? await sendBack(agent, logged, sentBack) : undefined
    if (reason === undefined) return { reason: logged.stop === 'max_tokens' ? 'max-tokens' : 'done' }
    sentBack += 1
  }
}

const PAUSED = 'The server has paused its turn again and again without coming to an end. Ask without a prompt to go on.'
const TURNS = `The query took ${MOST_TURNS.toLocaleString('en-US')} turns, the limit where none is set. Ask without a prompt to go on, or set limits.maxTurns.`

function limitReached(text: string): NacreError {
  return new NacreError('LIMIT_REACHED', text)
}

/** A limit that was asked for needs no words. */
function tooMany({ limits }: Agent): QueryEnd {
  return limits.maxTurns === undefined ? { reason: 'max-turns', error: limitReached(TURNS) } : { reason: 'max-turns' }
}

/** Without a prompt, something has to be left to answer: what an interruption or a crash left behind. */
function mustBeOpen(agent: Agent): undefined {
  const last = agent
    .view()
    .rounds.findLast(({ entries }) => entries.length > 0)
    ?.entries.at(-1)
  if (last?.kind === 'user' || last?.stop === 'pause_turn') return
  throw new NacreError('INVALID_REQUEST', 'There is nothing to answer: give a prompt.')
}

/** Lets plugins shape the prompt and gates judge it, then logs it. */
async function submit(agent: Agent, asked: Prompt): Promise<QueryEnd | undefined> {
  const { content, verdict } = await judgePrompt(agent, asked)
  if (content.length === 0) throw new NacreError('INVALID_REQUEST', 'The prompt is empty: say something.')
  if (verdict) return { reason: 'blocked', error: new NacreError('BLOCKED', verdict.reason, { plugin: verdict.owner }) }
  const tooLarge = agent.noRoomFor(content)
  if (tooLarge) return { reason: 'blocked', error: tooLarge }
  agent.signal.throwIfAborted()
  await agent.conversation.append({ kind: 'user', content })
  return undefined
}

async function judgePrompt(agent: Agent, asked: Prompt) {
  mustBeBlocks('A prompt', asked.content)
  const { value } = await agent.hooks.transform('PreparePrompt', { value: asked })
  const content = value.content.filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
  const verdict = content.length > 0 ? await agent.hooks.decide('UserPromptSubmit', { prompt: { content } }) : undefined
  return { content, verdict }
}

/** What was put in since the last request becomes part of the conversation; whether there was anything. */
async function takeSteered(agent: Agent): Promise<boolean> {
  let isAny = false
  for (const message of agent.steering.waiting()) {
    // What a person says is judged as a prompt is, whenever they say it.
    const judged = message.isOwn ? await judgePrompt(agent, message) : { content: message.content, verdict: undefined }
    agent.signal.throwIfAborted()
    const { content, verdict } = judged
    const isSaid = !verdict && content.length > 0
    await agent.steering.settle(message, isSaid ? content : undefined)
    isAny ||= isSaid
    if (!verdict) continue
    const text = `A message was not passed on: ${verdict.reason}`
    await agent.conversation.append({ kind: 'notice', owner: verdict.owner, level: 'warning', text })
  }
  return isAny
}

/** A Stop hook may send the agent back to work with a reason; so often and no more. */
async function sendBack(agent: Agent, response: AssistantEntry, times: number): Promise<string | undefined> {
  const verdict = await agent.hooks.decide('Stop', { response, times })
  if (!verdict) return undefined
  const content = [{ type: 'text', text: verdict.reason }]
  await agent.conversation.append({ kind: 'user', content, isMeta: true })
  return verdict.reason
}

/** What the model refused to answer is left out of the view, so that the next prompt starts clean. */
async function leaveOut(agent: Agent, response: AssistantEntry): Promise<QueryEnd> {
  const { timeline } = agent.conversation.projection
  const round = timeline.rounds[timeline.place(response.id)?.round ?? -1]
  const [first] = round?.entries ?? []
  if (first) {
    const span = { from: first.id, to: response.id }
    await agent.conversation.edit({ owner: 'core', reason: 'refused by the model', changes: [{ kind: 'drop', span }] })
  }
  return { reason: 'refused' }
}

function toEnd(agent: Agent, error: unknown): QueryEnd {
  if (agent.signal.aborted) return { reason: 'aborted' }
  const known = isNacreError(error) ? error : new NacreError('SERVER', messageOf(error), { cause: error })
  return { reason: 'error', error: known }
}
