import { NO_USAGE } from '../cost/usage.js'
import type { Fold } from '../log/edit.js'
import type { AssistantEntry, Entry, StateEntry, UserEntry } from '../log/entry.js'
import type { CheckpointValue } from './checkpoint-value.js'

/** What stands for all that a checkpoint covers, so that nothing before it has to be read. */
export function coveredEntries(checkpoint: CheckpointValue, entries: readonly Entry[]): readonly Entry[] {
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
