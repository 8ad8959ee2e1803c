import type { Block, Edit, Entry, Id, SessionStore, SessionSummary, Store } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import type { Speaker } from '../memory/memory.js'

/** What one entry of a log says, by one speaker. */
export interface Said {
  readonly session: Id
  readonly entry: Id
  readonly by: Speaker
  readonly text: string
  /** Milliseconds. */
  readonly time: number
}

/** The logs of a project, for reading. */
export interface Logs {
  /** Everything that was said in a session, oldest first; `undefined` where there is no log of it. */
  said(session: Id, project?: string): Promise<readonly Said[] | undefined>
  /** Newest first. */
  sessions(): AsyncIterable<SessionSummary>
}

export interface LogsOptions {
  readonly home?: string
  readonly project: string
  /** Where the sessions of the project are; the files of the data folder unless told. */
  readonly store?: Store
}

/** Logs as a store has them. Those of other projects are looked for in the data folder. */
export function openLogs({ home, project, store }: LogsOptions): Logs {
  const files = (folder: string) => fileStore({ project: folder, ...(home !== undefined && { home }) })
  const own = store ?? files(project)
  return {
    async said(session, folder) {
      const from = folder === undefined || folder === project ? own : files(folder)
      const entries = (await from.peek?.(session)) ?? []
      return entries.length === 0 ? undefined : saidIn(session, entries)
    },
    sessions: () => own.list(),
  }
}

/** The same for a session that is open: its log is read as it is now. */
export function withOpenSession(logs: Logs, session: Id, store: Pick<SessionStore, 'read'>): Logs {
  return {
    ...logs,
    async said(id, project) {
      if (id !== session) return logs.said(id, project)
      const entries: Entry[] = []
      for await (const entry of store.read()) entries.push(entry)
      return saidIn(session, entries)
    },
  }
}

/** Results of these are what memory itself has said: it is never evidence for itself. */
const OWN_TOOL = 'memory'

/**
 * What the entries of a log say. Left out: what a person has taken back or redacted, what the runtime said in the role
 * of the user, and what memory itself has answered.
 */
export function saidIn(session: Id, entries: readonly Entry[]): readonly Said[] {
  const { takenBack, redacted } = withdrawn(entries)
  const ownCalls = new Set<unknown>()
  return entries.flatMap((entry): readonly Said[] => {
    if (entry.kind !== 'user' && entry.kind !== 'assistant') return []
    if (takenBack.has(entry.id)) return []
    const blocks = entry.content.filter((_, block) => !redacted.has(`${entry.id}/${block}`))
    const said = (by: Speaker, texts: readonly string[]): readonly Said[] => {
      const text = texts.filter((each) => each.trim() !== '').join('\n\n')
      return text === '' ? [] : [{ session, entry: entry.id, by, text, time: entry.time }]
    }
    if (entry.kind === 'assistant') {
      for (const { type, name, id } of blocks) if (type === 'tool_use' && name === OWN_TOOL) ownCalls.add(id)
      return said('assistant', blocks.flatMap(textOf))
    }
    const results = blocks.filter(({ type, tool_use_id }) => type === 'tool_result' && !ownCalls.has(tool_use_id))
    return [
      ...(entry.isMeta ? [] : said('user', blocks.flatMap(textOf))),
      ...said('tool', results.flatMap(resultTexts)),
    ]
  })
}

function textOf({ type, text }: Block): readonly string[] {
  return type === 'text' ? [String(text)] : []
}

function resultTexts({ content }: Block): readonly string[] {
  if (typeof content === 'string') return [content]
  return Array.isArray(content) ? (content as readonly Block[]).flatMap(textOf) : []
}

/** Entries that a rewind or a clear has taken back, and blocks whose words must not be told again. */
function withdrawn(entries: readonly Entry[]): { takenBack: ReadonlySet<Id>; redacted: ReadonlySet<string> } {
  const edits = entries.filter((entry): entry is Edit => entry.kind === 'edit')
  const inForce = editsInForce(edits)
  const places = new Map(entries.map(({ id }, place) => [id, place]))
  const takenBack = new Set<Id>()
  const redacted = new Set<string>()
  for (const { id, changes } of edits) {
    for (const change of changes) {
      if (change.kind === 'replace' && change.redacts) redacted.add(`${change.target.entry}/${change.target.block}`)
      // A clear ends a conversation; what was said in it was said.
      if (change.kind !== 'drop' || change.note !== undefined || change.epoch || !inForce.has(id)) continue
      const [from, to] = [places.get(change.span.from), places.get(change.span.to)]
      if (from === undefined || to === undefined) continue
      for (const entry of entries.slice(from, to + 1)) takenBack.add(entry.id)
    }
  }
  return { takenBack, redacted }
}

/** An edit is in force where no edit that reverts it is. */
function editsInForce(edits: readonly Edit[]): ReadonlySet<Id> {
  const inForce = new Set<Id>()
  const reverted = new Set<Id>()
  for (const { id, changes } of edits.toReversed()) {
    if (reverted.has(id)) continue
    inForce.add(id)
    for (const change of changes) if (change.kind === 'revert') reverted.add(change.edit)
  }
  return inForce
}
