import type { AgentType } from '../definitions/agent-type.js'
import { builtInTypes } from '../definitions/built-in.js'
import { type Job, type LifeContext, type LiveAgent, live } from './agent-life.js'
import type { AgentRecord } from './roster.js'
import { duration, messageOf, type Stop } from './run-agent.js'

/** The agents that work in this process. */
export interface Workforce {
  readonly running: ReadonlyMap<string, LiveAgent>
  /** Sets one to work. Its record is in the log already. */
  begin(record: AgentRecord, job: Job, signal?: AbortSignal): LiveAgent
  /** Sets one that has ended to work again, from its transcript. */
  revive(record: AgentRecord, prompt: string): Promise<void>
  /** Tells the main agent of an end. */
  tell(record: AgentRecord): Promise<void>
  /** Ends one and waits until its result is kept; `undefined` where it does not run. */
  stop(name: string, why: Stop): Promise<AgentRecord> | undefined
  /** Ends those whose start is no longer in view. */
  forgetRewound(): void
  close(reason: string): Promise<void>
}

export function createWorkforce(context: LifeContext, types: ReadonlyMap<string, AgentType>): Workforce {
  const { roster, session, settings, now, changed } = context
  const running = new Map<string, LiveAgent>()
  const tell = async (record: AgentRecord) => {
    await session.steer(noticeOf(record), { mark: { agent: record.name, runs: record.runs } })
  }
  const begin: Workforce['begin'] = (record, job, signal) => {
    const controller = new AbortController()
    const type = types.get(record.type) ?? (builtInTypes[0] as AgentType)
    let begun = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const shared = { record, type, controller, posting: new Set<Promise<void>>(), begun, hasBegun }
    const agent: LiveAgent = { ...shared, ended: Promise.resolve(record) }
    const stop = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    running.set(record.name, agent)
    const over = async (ended: AgentRecord) => {
      signal?.removeEventListener('abort', stop)
      running.delete(record.name)
      begun()
      // Who waits for it gets the result; nobody waits for one in the background, or after an interruption.
      if (!agent.isForgotten && (ended.isBackground || signal?.aborted)) await tell(ended).catch(() => undefined)
      changed(agent)
      return ended
    }
    agent.ended = live(context, agent, job)
      .catch((error: unknown): AgentRecord => ({ ...record, state: 'failed', reason: messageOf(error) }))
      .then(over)
    changed(agent)
    return agent
  }
  return {
    running,
    begin,
    tell,
    async revive(before, prompt) {
      const { limits } = settings
      const record = setToWorkAgain(before, now(), limits.deadline)
      await roster.set(record)
      begin(record, { prompt, from: 'kept', limits, inWorktree: false })
    },
    stop(name, why) {
      const agent = running.get(name)
      agent?.controller.abort(why)
      return agent?.ended
    },
    forgetRewound() {
      for (const agent of running.values()) {
        if (roster.get(agent.record.name)) continue
        agent.isForgotten = true
        agent.controller.abort({ stopAs: 'stopped', reason: 'its start was taken back' } satisfies Stop)
      }
    },
    async close(reason) {
      const all = [...running.values()]
      for (const { controller } of all) controller.abort({ stopAs: 'stopped', reason } satisfies Stop)
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

/** What it left before and nobody has read stays beside what it will leave now. */
function setToWorkAgain(before: AgentRecord, now: number, deadline: number): AgentRecord {
  const { result, reason: _reason, ended: _ended, earlier = [], ...rest } = before
  const unread = result && !result.isRead ? [...earlier, result] : earlier
  return {
    ...rest,
    state: 'running',
    isBackground: true,
    started: now,
    until: now + deadline,
    runs: before.runs + 1,
    ...(unread.length > 0 && { earlier: unread }),
  }
}

function noticeOf({ name, state, reason, result, started, ended = started }: AgentRecord): string {
  const how = state === 'done' ? 'has finished' : `has ended without finishing: ${reason}`
  const size = result ? `${result.chars} characters` : 'no text'
  const read = `Agents {"action":"read","name":${JSON.stringify(name)}}`
  return `<agent-notice agent=${JSON.stringify(name)}>\nThe agent ${name} ${how}, after ${duration(ended - started)}. Its result (${size}) is kept; read it with ${read}.\n</agent-notice>`
}
