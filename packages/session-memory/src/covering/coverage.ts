import type { Id, Json, StateEntry, View } from '@nacre/core'

export const OWNER = 'session-memory'

/** How far notes go: up to the last entry of the request that their update extended. */
export interface Coverage {
  /** Of a copy of a session: the one that it was copied from. */
  readonly session: Id
  readonly covers: Id
  /** The responses up to there. */
  readonly turn: number
}

/** The coverage as the log has it, with the notes as they were then. */
export interface LoggedCoverage extends Coverage {
  readonly blob: string
  /** Of the blob, where a file can be read: a copy of a session does not have the blobs of the first one. */
  readonly path?: string
}

/** The coverage in view: a rewind takes it back, a resume brings it back. */
export function readCoverage(view: Pick<View, 'state'>): LoggedCoverage | undefined {
  const value = view.state(OWNER, 'coverage') as unknown as LoggedCoverage | undefined
  return typeof value?.covers === 'string' && typeof value.blob === 'string' ? value : undefined
}

/** An entry for `store.append`. The session gives it its own id and time. */
export function stateEntry(key: string, value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}

/** A place in the rounds of a view; behind the last one, the round is their number. */
export interface Place {
  readonly round: number
  readonly entry: number
}

/** The first entry behind another one; `undefined` where that is not in view, be it folded or taken back. */
export function firstAfter({ rounds }: View, id: Id): Place | undefined {
  for (let index = rounds.length - 1; index >= 0; index--) {
    const { entries = [], content, span } = rounds[index] ?? {}
    const at = entries.findIndex((entry) => entry.id === id)
    if (at !== -1) return at + 1 < entries.length ? { round: index, entry: at + 1 } : { round: index + 1, entry: 0 }
    if (content && span?.to === id) return { round: index + 1, entry: 0 }
  }
  return undefined
}

/** Where nothing is known: all that no fold stands for. */
export function firstUnfolded({ rounds }: View): Place {
  return { round: rounds.findLastIndex(({ content }) => content !== undefined) + 1, entry: 0 }
}

/** Numbers the responses of a session, so that people can be told how far notes go. */
export interface TurnNumbers {
  /** Is told of each response as it comes. */
  count(response: Id, view: View): void
  /** The number of the last response up to an entry in view; `undefined` when none is known. */
  upTo(entry: Id, view: View): number | undefined
  last(): number
}

/** Older ones are asked for no more. */
const REMEMBERED = 5_000

export function createTurnNumbers(): TurnNumbers {
  const numbers = new Map<Id, number>()
  let last: number | undefined
  const remember = (id: Id, number: number) => {
    numbers.set(id, number)
    const [oldest] = numbers.keys()
    if (numbers.size > REMEMBERED && oldest !== undefined) numbers.delete(oldest)
  }
  return {
    count(response, view) {
      if (last === undefined) {
        const earlier = responsesOf(view).filter((id) => id !== response)
        last = numberOfLast(view, readCoverage(view), response)
        const first = last - earlier.length + 1
        for (const [index, id] of earlier.entries()) remember(id, first + index)
      }
      last += 1
      remember(response, last)
    },
    upTo(entry, view) {
      const place = firstAfter(view, entry)
      if (!place) return undefined
      const entries = view.rounds.flatMap((round, index) =>
        index < place.round ? round.entries : index === place.round ? round.entries.slice(0, place.entry) : [],
      )
      const found = entries.findLast(({ kind }) => kind === 'assistant')
      return found ? numbers.get(found.id) : undefined
    },
    last: () => last ?? 0,
  }
}

/** After a resume: the responses before the first one of this process. */
function numberOfLast(view: View, known: Coverage | undefined, response: Id): number {
  const place = (known && firstAfter(view, known.covers)) ?? firstUnfolded(view)
  const since = view.rounds.flatMap(({ entries }, index) =>
    index < place.round ? [] : entries.slice(index === place.round ? place.entry : 0),
  )
  return (known?.turn ?? 0) + since.filter(({ kind, id }) => kind === 'assistant' && id !== response).length
}

function responsesOf({ rounds }: View): Id[] {
  return rounds.flatMap(({ entries }) => entries).flatMap(({ kind, id }) => (kind === 'assistant' ? [id] : []))
}
