import { NO_USAGE } from '../tokens/cost.js'
import type { AssistantEntry, Entry, Fold, Id, Json, StateEntry, UserEntry } from '../types/log.js'
import type { SessionStore } from '../types/store.js'
import { coreStateIn } from './timeline.js'

/** A log as far as the view needs it. */
export interface ReadLog {
  readonly entries: readonly Entry[]
  /** Where it was read from, if that is not its beginning. */
  readonly checkpoint: CheckpointValue | undefined
}

/** Reads a session from the last checkpoint in force on, or whole where there is none. */
export async function readLog(store: SessionStore): Promise<ReadLog> {
  const entries: Entry[] = []
  const meets = checkpointSearch()
  let checkpoint: CheckpointValue | undefined
  let isReached = false
  for await (const entry of readBack(store)) {
    // Something stands before it: that is what the checkpoint spares the reader.
    if (isReached && checkpoint) {
      entries.reverse()
      return { entries: [...coveredEntries(checkpoint, entries), ...entries], checkpoint }
    }
    entries.push(entry)
    checkpoint ??= meets(entry)
    isReached ||= entry.id === checkpoint?.from
  }
  return { entries: entries.reverse(), checkpoint: undefined }
}

/** The whole log from the newest entry back. */
export function readBack(store: SessionStore): AsyncIterable<Entry> {
  return store.readBack?.() ?? backwards(store)
}

async function* backwards(store: SessionStore): AsyncGenerator<Entry> {
  yield* (await readWholeLog(store)).toReversed()
}

export async function readWholeLog(store: SessionStore): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of store.read()) entries.push(entry)
  return entries
}

/** What a checkpoint keeps so that nothing before it has to be read. */
interface CheckpointValue {
  readonly from: Id
  readonly edit: Id
  readonly states?: readonly { readonly owner: string; readonly key: string; readonly value: Json }[]
}

/** What stands for all that a checkpoint covers, so that nothing before it has to be read. */
function coveredEntries(checkpoint: CheckpointValue, entries: readonly Entry[]): readonly Entry[] {
  return [...stateEntries(checkpoint), ...covered(checkpoint, entries)]
}

function stateEntries({ states = [] }: CheckpointValue): StateEntry[] {
  return states.map((state, index) => ({ kind: 'state', id: `state-${index}`, time: 0, ...state }))
}

/** A round that stands for all that the fold covers: the view shows the fold in its place. */
function covered({ edit }: CheckpointValue, entries: readonly Entry[]): (UserEntry | AssistantEntry)[] {
  const found = entries.find(({ id }) => id === edit)
  const fold =
    found?.kind === 'edit' ? found.changes.find((change): change is Fold => change.kind === 'fold') : undefined
  if (!fold) return []
  const { from, to } = fold.span
  const prompt: UserEntry = { kind: 'user', id: from === to ? `${from}-prompt` : from, time: 0, content: [] }
  const next = entries.find(({ kind }) => kind === 'user' || kind === 'assistant')
  if (next?.kind !== 'assistant') return [prompt, { ...SILENCE, id: to, stop: 'end_turn' }]
  const called = { type: 'tool_use', id: COVERED, name: COVERED, input: {} }
  const result = { type: 'tool_result', tool_use_id: COVERED, content: [] }
  return [
    prompt,
    { ...SILENCE, content: [called] },
    // It ends with a result, so that an answer behind it begins a round of its own.
    { kind: 'user', id: to, time: 0, content: [result] },
  ]
}

const COVERED = 'covered'

const SILENCE: AssistantEntry = {
  kind: 'assistant',
  id: COVERED,
  time: 0,
  content: [],
  model: '',
  messageId: '',
  usage: NO_USAGE,
  stop: 'tool_use',
  prefix: '',
}

/**
 * Takes entries from the newest back, and answers when it meets the last checkpoint in force. A revert stands behind
 * what it reverts, so whatever decides about a checkpoint has been seen before it.
 */
function checkpointSearch(): (entry: Entry) => CheckpointValue | undefined {
  const reverted = new Set<Id>()
  return (entry) => {
    if (entry.kind === 'edit' && !reverted.has(entry.id)) {
      for (const change of entry.changes) if (change.kind === 'revert') reverted.add(change.edit)
    }
    const checkpoint = checkpointIn(entry)
    return checkpoint !== undefined && !reverted.has(checkpoint.edit) ? checkpoint : undefined
  }
}

/** What a checkpoint entry says; `undefined` for any other entry, and for one that nobody can go on from. */
function checkpointIn(entry: Entry): CheckpointValue | undefined {
  const value = Object(coreStateIn<unknown>(entry, 'checkpoint')) as Partial<CheckpointValue>
  const { from, edit, states = [] } = value
  const isWhole = typeof from === 'string' && typeof edit === 'string' && Array.isArray(states)
  return isWhole ? { ...value, from, edit } : undefined
}
