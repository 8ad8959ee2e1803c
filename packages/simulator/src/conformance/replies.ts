import type { ReplyBlock, SimulatedModel } from '../replies/model.js'
import { summarize } from '../replies/summarize.js'
import type { Plan } from './plan.js'
import type { EntryLike } from './session-like.js'

/** Where a conversation is. */
export interface Position {
  readonly step: number
  /** How many entries the log had when the step began. */
  readonly start: number
}

/** Plays the model's part of a plan. What comes next is read from the log, so a request that is sent again gets the same. */
export function replies(
  plan: Plan,
  entries: readonly EntryLike[],
  position: () => Position,
  answers: SimulatedModel = summarize,
): SimulatedModel {
  return (turn) => {
    if (turn.purpose === 'compaction' || turn.source !== 'main') return answers(turn)
    const { step: number, start } = position()
    const step = plan.steps[number]
    const answered = entries.slice(start).filter(({ kind }) => kind === 'assistant').length
    const thought: ReplyBlock[] = turn.thinks ? [{ type: 'thinking', thinking: `Step ${number}, ${answered}.` }] : []
    const calls = step?.kind === 'ask' ? step.turns[answered] : undefined
    if (!calls) return [...thought, `Done with step ${number} in ${answered} rounds.`]
    const blocks = calls.map(({ name, input }, index) => {
      return { type: 'tool_use' as const, id: `toolu_${plan.seed}_${number}_${answered}_${index}`, name, input }
    })
    return [...thought, `Round ${answered} of step ${number}.`, ...blocks]
  }
}
