import type { Json, OwnSession, PersonVerdict, Timer } from '@nacre/core'
import type { Message } from '../messages/mailbox.js'
import type { Settings } from '../settings/settings.js'
import type { LiveAgent } from './agent-life.js'
import { framed, MAIN, type Post, type StructuredMessage } from './post.js'
import type { AgentRecord, Roster } from './roster.js'
import { duration, messageOf, type Stop } from './run-agent.js'

/** What one wants to say to another. */
export interface Letter {
  readonly from: string
  /** A name, `*` for all, `uds:<path>` or `session:<id>`. */
  readonly to: string
  readonly message: string | StructuredMessage
  readonly summary?: string | undefined
  readonly signal?: AbortSignal
}

/** Who writes to whom in this process, and the ways out of it. */
export interface Correspondence {
  send(letter: Letter): Promise<string>
  /** Shows the main agent a plan; resolves when it says yes or no. */
  askForPlan(agent: string, plan: unknown): Promise<PersonVerdict>
}

interface CorrespondenceContext {
  readonly settings: Settings
  readonly sessionId: string
  readonly session: OwnSession
  readonly roster: Roster
  readonly running: ReadonlyMap<string, LiveAgent>
  /** Sets one that has ended to work again. */
  revive(name: string, prompt: string): Promise<void>
  stop(name: string, why: Stop): Promise<AgentRecord>
  now(): number
  /** A message waits for the main agent. */
  woken(): void
  post(): Post | undefined
}

export function createCorrespondence(context: CorrespondenceContext): Correspondence {
  const { settings, now, running, post } = context
  const plans: Plans = new Map()
  return {
    async send(letter) {
      const done = obey(context, plans, letter)
      if (done !== undefined) return done
      if (letter.to !== '*') return deliver(context, letter, letter.to)
      const members = ((await post()?.members()) ?? []).map(({ name }) => name)
      const all = [MAIN, ...running.keys(), ...members].filter((name) => name !== letter.from)
      const failed = (name: string) => (error: unknown) => `Not delivered to ${name}: ${messageOf(error)}`
      const said = await Promise.all(all.map((name) => deliver(context, letter, name).catch(failed(name))))
      return said.join('\n') || 'Nobody else is there.'
    },
    async askForPlan(agent, plan) {
      const id = settings.effects.newId()
      const answered = new Promise<PersonVerdict>((answer) => plans.set(id, { agent, answer }))
      const body = { type: 'plan_approval_request', request_id: id, plan: plan as Json }
      await toMain(context, { id, from: agent, to: MAIN, body, time: now() })
      return answered.finally(() => plans.delete(id))
    },
  }
}

type Plans = Map<string, { readonly agent: string; answer(verdict: PersonVerdict): void }>

/** What the runtime itself does about a structured message; in words where nobody else has to hear of it. */
function obey({ running, stop }: CorrespondenceContext, plans: Plans, { from, message }: Letter): string | undefined {
  if (typeof message === 'string') return undefined
  if (message.type === 'shutdown_response' && message.approve === true && running.has(from)) {
    // Not waited for: it is the agent itself that says so, in a call of its own.
    void stop(from, { stopAs: 'stopped', reason: 'it shut down as it was asked to' })
    return undefined
  }
  if (message.type !== 'plan_approval_response') return undefined
  const plan = plans.get(message.request_id)
  if (!plan) throw new Error(`No plan waits for an answer under '${message.request_id}'.`)
  if (from !== MAIN) throw new Error('Only the main agent answers to plans.')
  plan.answer(message.approve === true ? 'allow' : { deny: message.feedback ?? 'The plan was not approved.' })
  return `${plan.agent} has your answer.`
}

/** Brings a letter to one receiver, by the way that leads there. */
async function deliver(context: CorrespondenceContext, letter: Letter, to: string): Promise<string> {
  const { settings, sessionId, roster, post, now } = context
  const { from, message: body, summary, signal } = letter
  const id = settings.effects.newId()
  const message = { id, from, to, body: body as Json, ...(summary !== undefined && { summary }), time: now() }
  if (to === from) throw new Error('That is you.')
  if (to === MAIN) return toMain(context, message)
  if (roster.get(to)) return toAgent(context, to, withRequest(message))
  const ways = post()
  if (ways && (to.startsWith('uds:') || to.startsWith('session:'))) {
    const own = `session:${sessionId}`
    await ways.ring(to, { ...message, from: from === MAIN ? own : `${from}@${own}` }, signal)
    return `Delivered to ${to}.`
  }
  const members = (await ways?.members()) ?? []
  const member = members.find(({ name }) => name === to)
  if (!ways || !member) throw unknown(to, roster.all(), members)
  await ways.mail({ ...message, from: settings.team?.name ?? from })
  const when = member.isHere ? '.' : ', who is not running now and reads it at the next start.'
  return `In the mailbox of ${to}${when}`
}

async function toMain({ session, woken }: CorrespondenceContext, message: Message): Promise<string> {
  await session.steer(framed(message), { mark: { message: message.id } })
  woken()
  return `Delivered to ${MAIN}, which reads it at its next tool round.`
}

/** How long a message waits for an agent that is about to begin. One that waits for its place may take long. */
const BEGINNING = 5_000

async function soon(begun: Promise<void>, timer: Timer): Promise<void> {
  let cancel = () => {}
  const late = new Promise<void>((resolve) => {
    cancel = timer(BEGINNING, resolve)
  })
  await Promise.race([begun, late]).finally(() => cancel())
}

async function toAgent(context: CorrespondenceContext, name: string, message: Message): Promise<string> {
  const { running, revive, settings } = context
  const waiting = running.get(name)
  if (waiting && !waiting.child) await soon(waiting.hasBegun, settings.effects.timer)
  const agent = running.get(name)
  if (agent?.isEnding) await agent.ended
  else if (agent?.child) {
    const posted = agent.child.steer(framed(message), { mark: { message: message.id } })
    agent.posting.add(posted)
    await posted.finally(() => agent.posting.delete(posted))
    return `Delivered to ${name}, which reads it at its next tool round.`
  } else if (agent) throw new Error(`${name} waits for others to end and has not begun; write to it later.`)
  await revive(name, framed(message))
  const limit = duration(settings.limits.deadline)
  return `${name} had ended. It goes on from its transcript with this message, for ${limit} at most; a notice comes when it ends.`
}

/** A request to shut down needs a name that the answer can give. */
function withRequest(message: Message): Message {
  const { type, request_id } = Object(message.body) as { readonly type?: string; readonly request_id?: string }
  if (type !== 'shutdown_request' || request_id !== undefined) return message
  return { ...message, body: { ...(message.body as object), request_id: message.id } as Json }
}

function unknown(name: string, agents: readonly AgentRecord[], members: readonly { readonly name: string }[]): Error {
  const all = [MAIN, ...agents.map((agent) => agent.name), ...members.map((member) => member.name)]
  return new Error(`There is nobody called '${name}'. There are: ${all.join(', ')}.`)
}
