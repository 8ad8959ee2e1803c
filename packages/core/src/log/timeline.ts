import type { Change, Drop, Edit } from './edit.js'
import type { Entry, Id, MessageEntry, StateEntry } from './entry.js'
import { addToRounds, type LogRound } from './round.js'

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
  return {
    rounds,
    edits,
    states,
    rewinds,
    place: (id) => places.get(id),
    size: () => places.size,
    append(entry) {
      const place = { ordinal: places.size, entry, ...turnOf(entry, rounds) }
      places.set(entry.id, place)
      if (entry.kind === 'edit') edits.push(place as Place<Edit>)
      if (entry.kind === 'edit' && entry.changes.some(isRewind)) rewinds.push(place as Place<Edit>)
      if (entry.kind === 'state') states.push(place as Place<StateEntry>)
      return place
    },
  }
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
