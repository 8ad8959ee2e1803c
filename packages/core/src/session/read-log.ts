import type { SessionStore } from '../contract/store.js'
import { NO_USAGE } from '../cost/usage.js'
import { coreStateIn } from '../log/core-state.js'
import type { Fold } from '../log/edit.js'
import type { AssistantEntry, Entry, Id, Json, StateEntry, UserEntry } from '../log/entry.js'

/** What a checkpoint keeps so that nothing before it has to be read. */
interface CheckpointValue {
  readonly from: Id
  readonly edit: Id
  /** The first entry of the whole log. */
  readonly first: Id
  readonly states?: readonly { readonly owner: string; readonly key: string; readonly value: Json }[]
}

/** A log as far as the view needs it. */
export interface ReadLog {
  readonly entries: readonly Entry[]
  /** Where it was read from, if that is not its beginning. */
  readonly checkpoint: CheckpointValue | undefined
}

/** Reads a session from the last checkpoint in force on, or whole where there is none. */
export async function readLog(store: SessionStore): Promise<ReadLog> {
  const entries: Entry[] = []
  for await (const entry of store.read()) entries.push(entry)
  const checkpoint = entries
    .map((entry) => coreStateIn<CheckpointValue>(entry, 'checkpoint'))
    .findLast((value) => value?.from === entries[0]?.id)
  if (!checkpoint || checkpoint.first === entries[0]?.id) return { entries, checkpoint: undefined }
  return { entries: [...stateEntries(checkpoint), ...covered(checkpoint, entries), ...entries], checkpoint }
}

export async function readWholeLog(store: SessionStore, first: Id): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const entry of store.read(first)) entries.push(entry)
  return entries
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
