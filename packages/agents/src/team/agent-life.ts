import { join } from 'node:path'
import type { ChildSession, HookContext, Model, OwnSession, PersonVerdict, SessionStore } from '@nacre/core'
import type { AgentType } from '../definitions/agent-type.js'
import { memoryFolder } from '../memory/agent-memory.js'
import type { AgentLimits, AgentsFlag, Settings } from '../settings/settings.js'
import { addWorktree, overlaps, settleWorktree } from '../worktree/worktree.js'
import { agentSections, childCalls, forkDirective, MEMORY_TOOL } from './child-options.js'
import type { AgentRecord, KeptWorktree, Roster } from './roster.js'
import { messageOf, type Outcome, runAgent, type Stop } from './run-agent.js'
import type { Slots } from './slots.js'
import { summarise } from './summaries.js'

/** What all agents of a session share. */
export interface LifeContext {
  readonly settings: Settings
  readonly cwd: string
  readonly session: OwnSession
  readonly sessionId: string
  readonly store: SessionStore
  readonly roster: Roster
  readonly slots: Slots
  flag(name: AgentsFlag): boolean
  now(): number
  /** The session as hooks meet it, once it has started. */
  hooks(): HookContext | undefined
  model(name: string | undefined): Promise<Model | undefined>
  /** Something about an agent is otherwise than before. */
  changed(agent: LiveAgent): void
  /** An agent that has to show a plan before it goes on; the main agent may answer as well as a person. */
  planAsked(agent: LiveAgent, plan: unknown): Promise<PersonVerdict> | undefined
}

/** An agent that works in this process. */
export interface LiveAgent {
  record: AgentRecord
  readonly type: AgentType
  readonly controller: AbortController
  child?: ChildSession
  /** Called when it can be written to, or never will be. */
  begun(): void
  readonly hasBegun: Promise<void>
  /** What it does, in three to five words. */
  doing?: string
  /** What it waits for a person's word on. */
  asks?: string
  /** Messages that are on their way into its log. */
  readonly posting: Set<Promise<void>>
  /** It has heard all that it will hear in this run: whoever writes to it now waits for its end. */
  isEnding?: true
  /** Its start was taken back by a rewind: nothing of it is written any more. */
  isForgotten?: true
  /** Resolves to its record when it has ended and its result is kept. Never rejects. */
  ended: Promise<AgentRecord>
}

/** What an agent is set to work on. */
export interface Job {
  readonly prompt: string
  readonly from: 'new' | 'fork' | 'kept'
  readonly limits: AgentLimits
  readonly inWorktree: boolean
}

const MAX_SENT_BACK = 5

/** The life of an agent from its place in the line to the result that is kept. Never rejects. */
export async function live(context: LifeContext, agent: LiveAgent, job: Job): Promise<AgentRecord> {
  const { slots, roster, now } = context
  const { signal } = agent.controller
  let outcome: Outcome
  let worktree: KeptWorktree | undefined = agent.record.worktree
  let leave = () => {}
  try {
    leave = await slots.enter(signal)
    worktree = job.inWorktree ? await makeWorktree(context, agent) : worktree
    outcome = await work(context, agent, job, worktree)
  } catch (error) {
    const { stopAs, reason } = (signal.aborted ? signal.reason : {}) as Partial<Stop>
    outcome = { state: stopAs ?? 'failed', reason: reason ?? messageOf(error), said: '' }
  }
  const dollars = (agent.record.dollars ?? 0) + (agent.child?.spent().dollars ?? 0)
  await closeInTime(context, agent)
  leave()
  if (agent.isForgotten) return agent.record
  const kept = worktree && (await settle(context, agent.record.name, worktree))
  const text = resultText(agent.record.name, outcome, kept?.words)
  const { worktree: _before, reason: _old, ...rest } = agent.record
  const record: AgentRecord = {
    ...rest,
    state: outcome.state,
    ...(outcome.reason !== undefined && { reason: outcome.reason }),
    ended: now(),
    dollars,
    result: await keepResult(context, agent.record.name, text),
    ...(kept?.worktree && { worktree: kept.worktree }),
  }
  agent.record = record
  await roster.set(record)
  return record
}

async function work(
  context: LifeContext,
  agent: LiveAgent,
  job: Job,
  worktree: KeptWorktree | undefined,
): Promise<Outcome> {
  const { settings, flag, now, changed } = context
  const { name, until } = agent.record
  const { timer } = settings.effects
  const child = await openChild(context, agent, job, worktree)
  agent.child = child
  agent.begun()
  changed(agent)
  await context.hooks()?.hooks.collect('SubagentStart', { agent: name })
  const stopSummaries = summarise({
    child,
    timer,
    signal: agent.controller.signal,
    isOn: () => flag('summaries'),
    model: () => context.model('haiku'),
    say(words) {
      agent.doing = words
      changed(agent)
    },
  })
  try {
    const options = { limits: job.limits, timer, signal: agent.controller.signal }
    let prompt: string | undefined = job.from === 'fork' ? forkDirective(name, job.prompt) : job.prompt
    for (let times = 0; ; ) {
      const outcome = await runAgent(child, prompt, { ...options, left: Math.max(0, until - now()) })
      if (outcome.state === 'done' && (await hasMail(agent, child))) {
        prompt = undefined
        continue
      }
      agent.isEnding = true
      if (outcome.state !== 'done' || times++ >= MAX_SENT_BACK) return outcome
      const result = { content: [{ type: 'text', text: outcome.said }] }
      const verdict = await context.hooks()?.hooks.decide('SubagentStop', { agent: name, result })
      if (!verdict) return outcome
      delete agent.isEnding
      prompt = verdict.reason
    }
  } finally {
    stopSummaries()
  }
}

/** A message that was accepted is heard: an agent does not end beside one that has just come in. */
async function hasMail({ posting }: LiveAgent, child: ChildSession): Promise<boolean> {
  while (posting.size > 0) await Promise.allSettled(posting)
  return child.isSteered()
}

async function openChild(
  { settings, session, flag, cwd, model, changed, planAsked }: LifeContext,
  agent: LiveAgent,
  { from, limits }: Job,
  worktree: KeptWorktree | undefined,
): Promise<ChildSession> {
  const { record, type } = agent
  const memory = flag('memory') ? memoryOf(type, settings) : undefined
  const place = worktree?.path ?? cwd
  const chosen = from === 'new' || record.mode === 'fresh' ? await model(record.model ?? type.model) : undefined
  const calls = childCalls({
    type,
    hasMessages: flag('messages'),
    hasMemory: memory !== undefined,
    question: limits.question,
    timer: settings.effects.timer,
    asking(question) {
      if (question) agent.asks = `${question.call.name}: ${question.reason}`
      else delete agent.asks
      changed(agent)
    },
    answeredBy: ({ call }) => (call.name === 'ExitPlanMode' ? planAsked(agent, call.input) : undefined),
  })
  return session.child({
    source: `agent:${record.name}`,
    id: record.log,
    from,
    calls: record.mode === 'fork' ? { ...calls, offers: ({ name }) => name !== MEMORY_TOOL } : calls,
    limits: { maxTurns: limits.turns },
    cwd: place,
    ...(chosen && { model: chosen }),
    ...(record.mode === 'fresh' && { system: agentSections(type, place, memory) }),
  })
}

/** The folder of a type's memory, where it has one that may be used. */
export function memoryOf({ memory, name }: AgentType, { home, project }: Settings): string | undefined {
  if (memory === undefined || home === undefined) return undefined
  return memoryFolder(memory, name, { home, ...(project !== undefined && { project }) })
}

/** How long the end of an agent's session may take: what hangs in it must hold nobody up. */
const CLOSING = 400

async function closeInTime({ settings }: LifeContext, { child }: LiveAgent): Promise<void> {
  if (!child) return
  let cancel = () => {}
  const late = new Promise<void>((resolve) => {
    cancel = settings.effects.timer(CLOSING, resolve)
  })
  await Promise.race([child.close('the agent has ended').catch(() => undefined), late])
  cancel()
}

function resultText(name: string, { state, reason, said }: Outcome, worktree: string | undefined): string {
  const words = said.trim()
  const place = worktree === undefined ? '' : `\n\n[${worktree}]`
  if (state === 'done') return `${words === '' ? `The agent ${name} ended without a word.` : words}${place}`
  const head = `The agent ${name} did not finish: ${reason ?? 'nobody knows why'}.`
  const last = words === '' ? 'It had said nothing yet.' : `What it had said last:\n\n${words}`
  return `${head} ${last}${place}`
}

/** The artefact is there before anybody hears of it: neither a crash nor a compaction of the parent can lose it. */
async function keepResult({ store }: LifeContext, name: string, text: string) {
  const { blob } = await store.put(`agent-${name}.md`, text)
  return { blob, chars: text.length, isRead: false }
}

async function makeWorktree(
  { settings, cwd, sessionId, roster }: LifeContext,
  agent: LiveAgent,
): Promise<KeptWorktree> {
  const { data } = settings
  if (data === undefined) throw new Error('worktrees need a data folder: give `data` to agents()')
  const { name } = agent.record
  const folder = join(data, 'worktrees', sessionId.slice(0, 8))
  const made = await addWorktree({ cwd, folder, name, signal: agent.controller.signal })
  const { path, branch, base, root } = made
  const worktree = { path, branch, base, root }
  // Before anything is done in it: after a crash somebody has to know where it is.
  agent.record = { ...agent.record, worktree }
  await roster.set(agent.record)
  return worktree
}

/** Removes a worktree that has nothing in it; else says where it is, and who else has changed the same files. */
async function settle({ roster }: LifeContext, name: string, worktree: KeptWorktree) {
  try {
    const { isKept, files } = await settleWorktree(worktree)
    if (!isKept) return { words: 'It has changed no files; its worktree was removed.' }
    const others = roster.all().filter((other) => other.name !== name && other.worktree?.root === worktree.root)
    const conflicts = others.flatMap((other) => {
      const same = overlaps(files, other.worktree?.files ?? [])
      return same.length > 0 ? [`${other.name} has changed ${same.join(', ')} too, on ${other.worktree?.branch}`] : []
    })
    const told = conflicts.length > 0 ? ` Conflict: ${conflicts.join('; ')}. Both are kept; merge them by hand.` : ''
    const words = `It has changed ${files.join(', ') || 'nothing but commits'}. Kept in ${worktree.path}, branch ${worktree.branch}.${told}`
    return { worktree: { ...worktree, files }, words }
  } catch (error) {
    return { worktree, words: `Its worktree is kept in ${worktree.path}: ${messageOf(error)}` }
  }
}
