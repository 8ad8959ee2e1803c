import type { Timer } from '@nacre/core'
import type { AgentType } from '../definitions/agent-type.js'
import type { AgentLimits } from '../settings/settings.js'
import type { Job, LifeContext, LiveAgent } from './agent-life.js'
import { createCorrespondence, type Letter } from './correspondence.js'
import { MAIN, type Post } from './post.js'
import { recovered, toldIn } from './recovery.js'
import { type AgentRecord, type AgentResult, oneLine } from './roster.js'
import type { Stop } from './run-agent.js'
import { createWorkforce } from './workforce.js'

/** An agent for whoever looks at it. */
export interface AgentStatus extends AgentRecord {
  /** What it does, in three to five words of its own. */
  readonly doing?: string
  /** What it waits for a person's word on. */
  readonly asks?: string
}

export interface StartRequest {
  readonly type: string
  readonly name?: string | undefined
  readonly mode: 'fresh' | 'fork'
  readonly isBackground: boolean
  readonly inWorktree: boolean
  /** In a few words, for people. */
  readonly task: string
  readonly prompt: string
  readonly wishes: AgentWishes
  /** Ends it with the work that it was started for. */
  readonly signal: AbortSignal
}

export interface AgentWishes {
  readonly model?: string | undefined
  /** Milliseconds. */
  readonly deadline?: number | undefined
  readonly turns?: number | undefined
}

/** The agents of one session. */
export interface Team {
  readonly types: ReadonlyMap<string, AgentType>
  agents(): readonly AgentStatus[]
  /** Resolved when it is in the log; its `ended` tells of the rest. */
  start(request: StartRequest): Promise<LiveAgent>
  /** What became of a message, in words. */
  send(letter: Letter): Promise<string>
  /** Ends one that runs; what it was and what it left stays. */
  stop(name: string, reason: string): Promise<AgentRecord>
  /** All that it left and nobody has read; what it left last where all is read. From then on it is read. */
  read(name: string): Promise<ReadResult>
  /** Until all of them have ended, or the limit; those that run unless named. Gives how they stand then. */
  wait(names: readonly string[] | undefined, limit: number, signal: AbortSignal): Promise<readonly AgentStatus[]>
  /** Finds out what became of those that ran when the process ended. */
  recover(): Promise<void>
  /** Ends those whose start is no longer in view. */
  forgetRewound(): void
  close(reason: string): Promise<void>
  /** A message has come in from outside. */
  woken(): void
  /** Hears of each change of an agent, and of each message that waits for the main agent. */
  onChange(listener: () => void): () => void
}

interface ReadResult {
  readonly record: AgentRecord
  readonly text: string
}

export interface TeamContext extends Omit<LifeContext, 'changed' | 'planAsked'> {
  readonly types: ReadonlyMap<string, AgentType>
  readonly post: () => Post | undefined
}

export function createTeam(given: TeamContext): Team {
  const { types, roster, settings } = given
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const context: LifeContext = {
    ...given,
    changed,
    planAsked: (agent, plan) => correspondence.askForPlan(agent.record.name, plan),
  }
  const workforce = createWorkforce(context, types)
  const { running } = workforce
  const known = (name: string): AgentRecord => mustKnow(roster.get(name), name, roster.all())
  const stop = async (name: string, why: Stop) => (await workforce.stop(name, why)) ?? known(name)
  const revive = (name: string, prompt: string) => workforce.revive(known(name), prompt)
  const correspondence = createCorrespondence({ ...given, running, revive, stop, woken: changed })
  const statusOf = (record: AgentRecord): AgentStatus => {
    const { doing, asks } = running.get(record.name) ?? {}
    return { ...record, ...(doing !== undefined && { doing }), ...(asks !== undefined && { asks }) }
  }
  return {
    types,
    agents: () => roster.all().map(statusOf),
    send: correspondence.send,
    stop: (name, reason) => stop(name, { stopAs: 'stopped', reason }),
    async start(request) {
      const { record, job } = plan(given, request)
      await roster.set(record)
      return workforce.begin(record, job, request.signal)
    },
    async read(name) {
      const read = await readResult(given, known(name))
      changed()
      return read
    },
    async wait(names, limit, signal) {
      const wanted = (names ?? [...running.keys()]).map((name) => known(name).name)
      const ends = wanted.flatMap((name) => running.get(name)?.ended ?? [])
      await within(Promise.all(ends), limit, signal, settings.effects.timer)
      return wanted.map((name) => statusOf(known(name)))
    },
    async recover() {
      const lost = roster.all().filter(({ name, state }) => state === 'running' && !running.has(name))
      for (const record of lost) await roster.set(await recovered(context, record))
      const told = await toldIn(given.store.read())
      for (const record of roster.all()) {
        if (record.result?.isRead === false && !told.has(`${record.name} ${record.runs}`)) await workforce.tell(record)
      }
      if (lost.length > 0) changed()
    },
    forgetRewound: workforce.forgetRewound,
    close: workforce.close,
    woken: changed,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The record of an agent that is about to start, and what it is set to work on. */
function plan(
  { types, roster, settings, now }: TeamContext,
  request: StartRequest,
): { readonly record: AgentRecord; readonly job: Job } {
  const type = mustFind(types, request.type)
  const taken = roster.all().map((each) => each.name)
  const name = nameFor(request, taken)
  const limits = limitsFor(settings.limits, type, request.wishes)
  const { model } = request.wishes
  const record: AgentRecord = {
    name,
    log: `${name.replace(/\s+/g, '-')}-${settings.effects.newId().slice(0, 6)}`,
    type: type.name,
    mode: request.mode,
    isBackground: request.isBackground,
    task: oneLine(request.task),
    state: 'running',
    started: now(),
    until: now() + limits.deadline,
    runs: 1,
    ...(model !== undefined && { model }),
  }
  const from = request.mode === 'fork' ? 'fork' : 'new'
  return { record, job: { prompt: request.prompt, from, limits, inWorktree: request.inWorktree } }
}

/** Gives what nobody has read, and says in the log that it is read now. */
async function readResult({ roster, store }: TeamContext, record: AgentRecord): Promise<ReadResult> {
  const { result, earlier, ...rest } = record
  if (!result) throw new Error(`The agent ${record.name} is still running: wait for it, or stop it.`)
  const texts = await Promise.all([...(earlier ?? []), result].map((each) => textOfResult(store, each)))
  if (!result.isRead || earlier) await roster.set({ ...rest, result: { ...result, isRead: true } })
  return { record, text: texts.join('\n\n---\n\n') }
}

/** Waits for work, but not longer than its limit, or until nobody waits any more. */
async function within(work: Promise<unknown>, limit: number, signal: AbortSignal, timer: Timer): Promise<void> {
  let stop = () => {}
  const late = new Promise<void>((resolve) => {
    const cancel = timer(limit, resolve)
    stop = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  await Promise.race([work, late]).finally(() => {
    stop()
    signal.removeEventListener('abort', stop)
  })
}

function mustKnow(record: AgentRecord | undefined, name: string, all: readonly AgentRecord[]): AgentRecord {
  if (record) return record
  const names = all.map((each) => each.name)
  const there = names.length > 0 ? `There are: ${names.join(', ')}.` : 'None was started yet.'
  throw new Error(`There is no agent '${name}'. ${there}`)
}

function mustFind(types: ReadonlyMap<string, AgentType>, name: string): AgentType {
  const type = types.get(name) ?? [...types.values()].find((each) => each.name.toLowerCase() === name.toLowerCase())
  if (type) return type
  throw new Error(`There is no agent type '${name}'. There are: ${[...types.keys()].join(', ')}.`)
}

const NAME = /^[A-Za-z0-9][\w. -]{0,63}$/

/** One name, one agent: the same one started again would be a double of the first. */
function nameFor({ name, type }: StartRequest, taken: readonly string[]): string {
  if (name === undefined) {
    for (let number = 1; ; number++) if (!taken.includes(`${type}-${number}`)) return `${type}-${number}`
  }
  if (!NAME.test(name) || name === MAIN)
    throw new Error(`'${name}' can not be the name of an agent: use letters, digits, - and _.`)
  if (!taken.includes(name)) return name
  throw new Error(
    `There is an agent '${name}' already. Send it a message to set it to work again, or take another name.`,
  )
}

/** A call may ask for less than the settings and the definition allow, not for more. */
function limitsFor(limits: AgentLimits, type: AgentType, { deadline, turns }: AgentWishes): AgentLimits {
  const most = { deadline: type.deadline ?? limits.deadline, turns: type.maxTurns ?? limits.turns }
  return {
    ...limits,
    deadline: Math.min(deadline ?? most.deadline, most.deadline),
    turns: Math.min(turns ?? most.turns, most.turns),
  }
}

async function textOfResult(store: TeamContext['store'], { blob }: AgentResult): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of store.get(blob)) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
