import type { Round, View } from '@nacre/core'
import { OWNER } from './todos-state.js'

/** How many answers were given since the model last wrote the list, or was last reminded of it. */
export function staleTurns(view: View): number {
  const reminded = view.state(OWNER, 'reminded')
  let turns = 0
  for (const { entries } of view.rounds.toReversed()) {
    for (const entry of entries.toReversed()) {
      if (entry.kind !== 'assistant') continue
      if (entry.id === reminded || entry.content.some(({ type, name }) => type === 'tool_use' && name === 'Todo'))
        return turns
      turns += 1
    }
  }
  return turns
}

/** The last answer in view. */
export function lastAnswer({ rounds }: View): string | undefined {
  const answered = rounds.findLast(({ entries }) => entries.some(isAnswer))
  return answered?.entries.findLast(isAnswer)?.id
}

function isAnswer({ kind }: Round['entries'][number]): boolean {
  return kind === 'assistant'
}
