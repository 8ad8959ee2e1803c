import type { Id, View } from '@nacre/core'
import { type Coverage, readCoverage } from './coverage.js'
import { firstAfter, firstUnfolded } from './first-after.js'

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
