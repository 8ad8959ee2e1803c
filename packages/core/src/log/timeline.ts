import type {
  AssistantEntry,
  Block,
  Change,
  Drop,
  Edit,
  Entry,
  Id,
  Json,
  MessageEntry,
  StateEntry,
} from '../types/log.js'

/** Where an entry stands in the log. */
export interface Place<Kind extends Entry = Entry> {
  readonly ordinal: number
  readonly entry: Kind
  /** The round of a message; for anything else the one whose user turn it falls in, which may not have begun yet. */
  readonly round: number
  /** Whether that user turn holds the round's results, and not its prompt. */
  readonly isAfterResponse: boolean
}

/** The log as an index: what is where. It decides nothing about what is seen. */
export interface Timeline {
  readonly rounds: readonly LogRound[]
  readonly edits: readonly Place<Edit>[]
  readonly states: readonly Place<StateEntry>[]
  /** Edits that take back all from a message on. They are few, and whoever asks for state asks for them. */
  readonly rewinds: readonly Place<Edit>[]
  place(id: Id): Place | undefined
  /** All of them, oldest first. */
  entries(): readonly Entry[]
  /** Whether a call has this id. */
  hasCall(id: string): boolean
  /** How many entries there are: the ordinal of the next. */
  size(): number
  append(entry: Entry): Place
}

export function createTimeline(): Timeline {
  const rounds: LogRound[] = []
  const edits: Place<Edit>[] = []
  const states: Place<StateEntry>[] = []
  const rewinds: Place<Edit>[] = []
  const places = new Map<Id, Place>()
  const calls = new Set<string>()
  return {
    rounds,
    edits,
    states,
    rewinds,
    place: (id) => places.get(id),
    entries: () => Array.from(places.values(), ({ entry }) => entry),
    hasCall: (id) => calls.has(id),
    size: () => places.size,
    append(entry) {
      const place = { ordinal: places.size, entry, ...turnOf(entry, rounds) }
      places.set(entry.id, place)
      if (entry.kind === 'edit') endRounds(entry, rounds, places)
      if (entry.kind === 'edit') edits.push(place as Place<Edit>)
      if (entry.kind === 'edit' && entry.changes.some(isRewind)) rewinds.push(place as Place<Edit>)
      if (entry.kind === 'state') states.push(place as Place<StateEntry>)
      if (entry.kind === 'assistant') for (const id of callIds(entry)) calls.add(id)
      return place
    },
  }
}

function callIds({ content }: AssistantEntry): readonly string[] {
  return content.flatMap((block) => (block.type === 'tool_use' ? [block.id as string] : []))
}

/** A drop that leaves nothing in its place. */
export function isRewind(change: Change): change is Drop {
  return change.kind === 'drop' && change.note === undefined
}

export function isMessage(entry: Entry): entry is MessageEntry {
  return entry.kind === 'user' || entry.kind === 'assistant'
}

function turnOf(entry: Entry, rounds: LogRound[]): Pick<Place, 'round' | 'isAfterResponse'> {
  if (isMessage(entry)) {
    const round = addToRounds(rounds, entry)
    return { round: round.number, isAfterResponse: round.hasResponse }
  }
  const last = rounds.at(-1)
  const isNext = !last || last.entries.at(-1)?.kind === 'assistant'
  // Behind a response that waits for results, the turn is the one that will hold them.
  if (isNext && !(last && last.open.size > 0)) return { round: rounds.length, isAfterResponse: false }
  return { round: (last as LogRound).number, isAfterResponse: (last as LogRound).hasResponse }
}

/**
 * A user turn, the response to it, and the results of its calls: the smallest piece that an edit can fold or drop.
 * The results of one response are the user turn of the next, so a round may begin with a response.
 */
export interface LogRound {
  readonly number: number
  readonly entries: MessageEntry[]
  /** Calls of the response that have no result yet. */
  readonly open: Set<string>
  hasResponse: boolean
  /** Whether a span was laid up to its end, for ever: what is said after that is not in the span, whatever becomes of it. */
  isEnded: boolean
}

/** Whether nothing more belongs to the round. */
export function isComplete(round: LogRound): boolean {
  return round.hasResponse && round.open.size === 0
}

/** The call that a block answers. */
export function answeredCall(block: Block): string | undefined {
  return block.type === 'tool_result' ? (block.tool_use_id as string) : undefined
}

/** Sorts an entry into its round. */
function addToRounds(rounds: LogRound[], entry: MessageEntry): LogRound {
  const last = rounds.at(-1)
  if (last && belongsTo(last, entry)) {
    join(last, entry)
    return last
  }
  const round: LogRound = { number: rounds.length, entries: [], open: new Set(), hasResponse: false, isEnded: false }
  rounds.push(round)
  join(round, entry)
  return round
}

function belongsTo(round: LogRound, entry: MessageEntry): boolean {
  if (round.isEnded) return entry.content.some((block) => round.open.has(answeredCall(block) ?? ''))
  if (!round.hasResponse) return true
  if (entry.kind === 'assistant') return round.entries.at(-1)?.kind === 'assistant' && round.open.size === 0
  return round.open.size > 0
}

function join(round: LogRound, entry: MessageEntry): void {
  round.entries.push(entry)
  if (entry.kind === 'assistant') {
    round.hasResponse = true
    for (const id of callIds(entry)) round.open.add(id)
    return
  }
  for (const block of entry.content) {
    const call = answeredCall(block)
    if (call !== undefined) round.open.delete(call)
  }
}

/** What stands in a span was there when the span was laid: a prompt that comes later begins a round of its own. */
function endRounds({ changes }: Edit, rounds: readonly LogRound[], places: ReadonlyMap<Id, Place>): void {
  for (const change of changes) {
    if (change.kind !== 'fold' && change.kind !== 'drop') continue
    const last = rounds[places.get(change.span.to)?.round ?? -1]
    if (last && last === rounds.at(-1)) last.isEnded = true
  }
}

/** The edits that no edit in force takes back. Reverts come after what they revert, so one walk from the end tells. */
export function inForce(edits: readonly Edit[]): Set<Id> {
  const reverted = new Set<Id>()
  const alive = new Set<Id>()
  for (const edit of edits.toReversed()) {
    if (reverted.has(edit.id)) continue
    alive.add(edit.id)
    for (const change of edit.changes) if (change.kind === 'revert') reverted.add(change.edit)
  }
  return alive
}

/** A fact that core itself keeps in the log. What is kept has to be JSON; no type can say so of records with fields. */
export function coreState(key: string, value: unknown): Omit<StateEntry, 'id' | 'time'> {
  return { kind: 'state', owner: 'core', key, value: value as Json }
}

/** The fact that an entry holds, if it is the one that is asked for. `Value` is what was kept under that key. */
export function coreStateIn<Value>(entry: Entry, key: string): Value | undefined {
  const isOne = entry.kind === 'state' && entry.owner === 'core' && entry.key === key
  return isOne ? (entry.value as Value) : undefined
}
