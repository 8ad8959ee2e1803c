import type { Json, SessionStore, StateEntry, View } from '@nacre/core'

export const OWNER = 'agents'

/** How an agent stands. `ended` ones have a result; a transcript that is there can be gone on with by a message. */
export type AgentState = 'running' | 'done' | 'failed' | 'stopped'

/** What the log of a session says about an agent. */
export interface AgentRecord {
  readonly name: string
  /** The name of its log below that of the session: a name may be given again after a rewind, a log never. */
  readonly log: string
  readonly type: string
  readonly mode: 'fresh' | 'fork'
  readonly isBackground: boolean
  /** In a few words. */
  readonly task: string
  readonly state: AgentState
  /** Why it ended, where it did not finish. */
  readonly reason?: string
  readonly started: number
  /** When the runtime ends it. */
  readonly until: number
  readonly ended?: number
  /** How often it was set to work: by its start, and by each message to it after an end. */
  readonly runs: number
  readonly model?: string
  readonly dollars?: number
  readonly result?: AgentResult
  /** Results of earlier runs that nobody had read when it was set to work again. */
  readonly earlier?: readonly AgentResult[]
  readonly worktree?: KeptWorktree
}

/** What an agent has left: kept before anybody is told of it. */
export interface AgentResult {
  readonly blob: string
  readonly chars: number
  readonly isRead: boolean
}

/** A worktree that could not be removed without a loss. */
export interface KeptWorktree {
  readonly path: string
  readonly branch: string
  readonly base: string
  readonly root: string
  readonly files?: readonly string[]
}

/** The agents of a session as its log has them: after a crash, a fold or a resume there is no other truth. */
export interface Roster {
  get(name: string): AgentRecord | undefined
  all(): readonly AgentRecord[]
  /** Kept when it resolves. Nothing is written that the log has already. */
  set(record: AgentRecord): Promise<void>
}

const NAMES = 'names'

export function createRoster(store: Pick<SessionStore, 'append'>, view: () => View | undefined): Roster {
  const names = () => (view()?.state(OWNER, NAMES) ?? []) as readonly string[]
  const get = (name: string) => recordOf(view(), name)
  // Two that start side by side must see each other's names.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    get,
    all: () => names().flatMap((name) => get(name) ?? []),
    set: (record) =>
      inOrder(async () => {
        const isNew = !names().includes(record.name)
        await store.append([
          // In one batch: a name without a record would be a ghost.
          ...(isNew ? [stateEntry(NAMES, [...names(), record.name])] : []),
          stateEntry(keyOf(record.name), record as unknown as Json),
        ])
      }),
  }
}

/** The agents that a view knows of. */
export function recordsIn(view: View): readonly AgentRecord[] {
  const names = (view.state(OWNER, NAMES) ?? []) as readonly string[]
  return names.flatMap((name) => recordOf(view, name) ?? [])
}

function recordOf(view: View | undefined, name: string): AgentRecord | undefined {
  return view?.state(OWNER, keyOf(name)) as unknown as AgentRecord | undefined
}

function keyOf(name: string): string {
  return `agent/${name}`
}

export function stateEntry(key: string, value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}

/** One line for the model: who it is, how it stands, and what to do about it. */
export function describeRecord(record: AgentRecord, now: number, doing?: string): string {
  const { name, type, task, state, reason, until, result, worktree } = record
  const size = result ? `${result.chars} characters` : ''
  const how =
    state === 'running'
      ? `is running${doing ? ` (${doing})` : ''}, for ${seconds(until - now)} more at most`
      : state === 'done'
        ? 'has finished'
        : `has ended: ${reason ?? state}`
  const unread = `its result (${size}) is not read: Agents {"action":"read","name":${JSON.stringify(name)}}`
  const left = !result ? '' : result.isRead ? '; its result was read' : `; ${unread}`
  const place = worktree ? `; its work is kept in ${worktree.path} on ${worktree.branch}` : ''
  return `- ${name} (${type}; ${oneLine(task)}) ${how}${left}${place}.`
}

function seconds(milliseconds: number): string {
  return `${Math.max(0, Math.round(milliseconds / 1000))} s`
}

export function oneLine(text: string, length = 120): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : line
}
