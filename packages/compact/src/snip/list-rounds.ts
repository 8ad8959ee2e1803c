import type { Round, View } from '@nacre/core'
import { isComplete } from '../fold-span.js'
import { inFigures } from '../receipt/in-figures.js'
import { cutLine } from './cut-line.js'
import { roundWords } from './round-words.js'

const SHORTEST = 6
const WORDS = 72

/** The rounds in view for people: a short id that is enough to name each, its size, and how it begins. */
export function listRounds(view: View): string {
  const { rounds } = view
  if (rounds.length === 0) return 'Nothing was said yet.'
  const length = shortLength(rounds)
  return rounds
    .map((round) => {
      const state = round.content || isComplete(round) ? '' : ' (open)'
      const size = `${inFigures(round.tokens)} tokens`.padStart(15)
      return `${round.span.from.slice(0, length)}${size}  ${cutLine(roundWords(view, round), WORDS)}${state}`
    })
    .join('\n')
}

/** How much of an id tells it from all others. */
function shortLength(rounds: readonly Round[]): number {
  const ids = [...new Set(rounds.flatMap(({ span, entries }) => [span.from, span.to, ...entries.map(({ id }) => id)]))]
  const longest = Math.max(...ids.map((id) => id.length))
  for (let length = SHORTEST; length < longest; length++) {
    if (new Set(ids.map((id) => id.slice(0, length))).size === ids.length) return length
  }
  return longest
}
