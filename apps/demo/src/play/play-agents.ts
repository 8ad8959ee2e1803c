import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AgentStatus, createAgents, type Team } from '@nacre/agents'
import type { Session } from '@nacre/core'
import { count, money, percent } from '../outcome/figures.js'
import type { Narrator } from '../outcome/narrator.js'
import type { AgentBill, AgentsAtWork, Firing } from '../outcome/outcome.js'
import {
  CHECK,
  DEADLINE,
  EVENING,
  FORKS,
  IS_RUNNING,
  LATE,
  LATECOMER,
  LETTER,
  NARROW,
  NOON,
  REPLY,
  WATCH,
  WATCHER,
  WHO,
} from './agents-script.js'
import { openSession } from './open-session.js'
import { ask, type Stage } from './play-run.js'
import { type Watcher, watchLayers } from './watch-layers.js'

/** What the acts of this scene need. */
interface Scene {
  readonly stage: Stage
  readonly narrator: Narrator
  readonly watcher: Watcher
  readonly session: Session
  readonly team: Team
  /** The requests of one who asks, whole. */
  sent(source: string): readonly string[]
  /** How often the conversation has asked for an agent of this name. */
  starts(name: string): number
  /** Tries again with each request that is answered and each change of an agent, until it is so. */
  until(isSo: () => boolean): Promise<void>
}

/** A session whose agents share its cache, are written to, run out of time, and live through a compaction. */
export async function playAgents(stage: Stage, narrator: Narrator, watcher: Watcher): Promise<AgentsAtWork> {
  narrator.scene('Agents: fork, write to one, run out of time, compact meanwhile')
  narrator.command('nacre', 'a new session; from here on with agents')
  const { scene, stop } = await openScene(stage, narrator, watcher)
  try {
    const forks = await forkTwice(scene)
    const message = await writeTo(scene)
    const late = await runOutOfTime(scene)
    const followed = await compactMeanwhile(scene)
    return { forks, message, late, followed }
  } finally {
    await scene.session.close()
    stop()
  }
}

async function openScene(stage: Stage, narrator: Narrator, watcher: Watcher) {
  const layer = createAgents()
  // Notes of a conversation this short would only stand in the way of what is shown.
  const place = { ...stage.place, flags: { ...stage.place.flags, 'session-memory': false } }
  const session = await openSession(place, { id: 'agents' }, { plugins: [layer.plugin] })
  watchLayers(session, watcher)
  const team = layer.of(session.id)
  if (!team) throw new Error('The session has no agents.')
  const bodies: { readonly source: string; readonly body: string }[] = []
  const started: unknown[] = []
  const waiting = new Set<() => void>()
  const look = () => {
    for (const each of waiting) each()
  }
  const stops = [
    team.onChange(look),
    session.events.on('tool-start', ({ call: { name, input } }) => {
      if (name === 'Agent') started.push((input as { readonly name?: unknown }).name)
    }),
    stage.simulator.observe(({ entry, body }) => {
      bodies.push({ source: entry.source, body })
      look()
    }),
  ]
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      const tryAgain = () => {
        if (!isSo()) return
        waiting.delete(tryAgain)
        resolve()
      }
      waiting.add(tryAgain)
      tryAgain()
    })
  const sent = (source: string) => bodies.filter((each) => each.source === source).map(({ body }) => body)
  const starts = (name: string) => started.filter((each) => each === name).length
  const scene: Scene = { stage, narrator, watcher, session, team, sent, starts, until }
  return { scene, stop: () => stops.forEach((each) => void each()) }
}

/** What the server billed for an agent, and what the session counted. */
function billOf({ stage, session }: Scene, name: string): AgentBill {
  const source = `agent:${name}` as const
  const { requests, read, write5m, write1h, input, dollars } = stage.simulator.ledger.totals(source)
  return { name, requests, read, written: write5m + write1h, input, dollars, counted: session.cost(source).dollars }
}

function fire({ watcher }: Scene, firing: Pick<Firing, 'layer' | 'text'> & Partial<Firing>): void {
  watcher.fired({ freed: 0, dollars: 0, callsAvoided: 0, ...firing, request: watcher.requests() })
}

/** Reads a few files, and lets two forks answer from what was read. */
async function forkTwice(scene: Scene): Promise<readonly AgentBill[]> {
  const { session, narrator } = scene
  await ask(session, CHECK, narrator)
  const bills = FORKS.map((name) => billOf(scene, name))
  const [first, second] = bills.toSorted((one, other) => other.written - one.written)
  if (!first || !second) return bills
  const [read, dollars] = [first.read + second.read, first.dollars + second.dollars]
  const fromCache = read / Math.max(1, read + first.written + first.input + second.written + second.input)
  const text = `two are started at once: ${first.name} reads ${count(first.read)} tokens and writes ${count(first.written)}, ${second.name} reads ${count(second.read)} and writes ${count(second.written)}; ${count(first.input)} and ${count(second.input)} are their own; ${money(dollars)}, ${percent(fromCache)} of the input from the cache`
  if (second.requests > 0) fire(scene, { layer: 'forked', dollars, fromCache, text })
  await narrator.flush()
  return bills
}

/** Closes a till, which ends what an agent waits for. */
async function closeTill({ stage, narrator }: Scene, till: string): Promise<void> {
  const file = join('data', `${till}.closed`)
  narrator.command(`touch ${file}`, 'the till is closed, and what the agent waits for ends')
  await writeFile(join(stage.place.project, file), '')
}

/** Writes to an agent that waits in a tool; it hears of it once that has ended. */
async function writeTo(scene: Scene): Promise<AgentsAtWork['message']> {
  const { session, narrator, sent, until } = scene
  const source = `agent:${WATCHER}`
  await ask(session, WATCH, narrator)
  await until(() => sent(source).length > 0)
  await ask(session, NARROW, narrator)
  await closeTill(scene, NOON)
  await until(() => session.isSteered() || isOver(scene))
  const heardAt = sent(source).findIndex((body) => body.includes(LETTER)) + 1
  await ask(session, undefined, narrator)
  const reply = sent('main').at(-1)?.includes(REPLY) ? REPLY : ''
  const text = `"${LETTER}" is in request ${heardAt} of ${WATCHER}, which writes back: "${reply}"`
  if (heardAt > 0 && reply !== '') fire(scene, { layer: 'written', text })
  await narrator.flush()
  return { heardAt, reply }
}

function statusOf({ team }: Scene, name: string): AgentStatus {
  const status = team.agents().find((agent) => agent.name === name)
  if (!status) throw new Error(`The agent '${name}' was not started.`)
  return status
}

/** Nothing more is to be waited for then, and the claims say what is missing. */
function isOver(scene: Scene): boolean {
  return statusOf(scene, WATCHER).state !== 'running'
}

async function runOutOfTime(scene: Scene): Promise<AgentsAtWork['late']> {
  const { session, narrator } = scene
  const { answer: result } = await ask(session, LATE, narrator)
  const { state, started, ended = started } = statusOf(scene, LATECOMER)
  const bill = billOf(scene, LATECOMER)
  const [deadline, lived] = [DEADLINE * 1_000, ended - started]
  const text = `it waits for a till that nobody closes, for ${DEADLINE} s at most; after ${(lived / 1_000).toFixed(1)} s it has ended, with a result that says so; ${money(bill.dollars)}`
  if (state === 'failed') fire(scene, { layer: 'ended', dollars: bill.dollars, text })
  await narrator.flush()
  return { bill, deadline, lived, result }
}

/** Folds the conversation while an agent runs, asks who runs, and reads the result once it is there. */
async function compactMeanwhile(scene: Scene): Promise<AgentsAtWork['followed']> {
  const { session, narrator, sent, until } = scene
  const isInView = hasStart(sent('main').at(-1))
  narrator.command('/compact', `while ${WATCHER} runs`)
  const outcome = await session.compact()
  if ('refused' in outcome) throw new Error(`The compaction was refused: ${outcome.refused}`)
  await ask(session, WHO, narrator)
  const after = sent('main').at(-1)
  const isNamed = after?.includes(IS_RUNNING) === true
  const isStartFolded = isInView && !hasStart(after)
  await closeTill(scene, EVENING)
  await until(() => isOver(scene) && session.isSteered())
  const { answer: result } = await ask(session, undefined, narrator)
  const [bill, starts] = [billOf(scene, WATCHER), scene.starts(WATCHER)]
  const isRead = statusOf(scene, WATCHER).result?.isRead === true
  const text = `${WATCHER} runs on while the conversation is folded; the next request names it as running, it was started ${starts === 1 ? 'once' : `${starts} times`}, and its result is read: ${bill.requests} requests, ${money(bill.dollars)}`
  if (isNamed && isRead) fire(scene, { layer: 'followed', dollars: bill.dollars, text })
  await narrator.flush()
  return { bill, isStartFolded, isNamed, starts, result, isRead }
}

interface Sent {
  readonly messages: readonly {
    readonly content: string | readonly { readonly type: string; readonly name?: string }[]
  }[]
}

/** Whether a request has a call that starts an agent, as the call itself: a summary may speak of it. */
function hasStart(body = '{"messages":[]}'): boolean {
  const { messages } = JSON.parse(body) as Sent
  return messages.some(
    ({ content }) =>
      typeof content !== 'string' && content.some(({ type, name }) => type === 'tool_use' && name === 'Agent'),
  )
}
