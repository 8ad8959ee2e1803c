import { asksForSummary } from './asks-for-summary.js'
import type { ModelTurn, Reply, ReplyBlock, SimulatedModel } from './model.js'
import { summarize } from './summarize.js'

type Step = Reply | ReplyBlock | readonly ReplyBlock[] | SimulatedModel

/**
 * Answers from a list, one item for each new prompt, or by a function. A request that is sent again, after a cut
 * stream say, gets the same item again. Summaries are written by rules and take no item of the list.
 */
export function scripted(script: SimulatedModel | readonly Step[]): SimulatedModel {
  if (typeof script === 'function') return script
  let last: { key: string; index: number } | undefined
  return (turn: ModelTurn) => {
    if (asksForSummary(turn)) return summarize(turn)
    const index = last ? (last.key === turn.key ? last.index : last.index + 1) : 0
    const step = script[index]
    if (step === undefined) throw new Error(`The script has ${script.length} replies; request ${index + 1} found none.`)
    last = { key: turn.key, index }
    return typeof step === 'function' ? step(turn) : step
  }
}
