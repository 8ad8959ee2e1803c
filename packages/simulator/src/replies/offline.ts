import type { Block } from '../wire.js'
import { asksForSummary } from './asks-for-summary.js'
import { asksForNotes, editNotes } from './edit-notes.js'
import type { ModelTurn, SimulatedModel } from './model.js'
import { playScenarios, type Scenario } from './scenario.js'
import { summarize } from './summarize.js'

/** A job that the offline model knows how to do. The first that recognises a turn does it. */
export interface OfflineJob {
  readonly name: string
  recognises(turn: ModelTurn): boolean
  readonly answer: SimulatedModel
}

export interface OfflineOptions {
  readonly jobs?: readonly OfflineJob[]
  readonly scenarios?: readonly Scenario[]
}

/** Deterministic, and no language model: it does the jobs it knows from the prompt it is given, and says so. */
export function offline({ jobs = [], scenarios = [] }: OfflineOptions = {}): SimulatedModel {
  const play = playScenarios(scenarios)
  return (turn) => {
    const job = jobs.find((each) => each.recognises(turn))
    if (job) return job.answer(turn)
    if (asksForSummary(turn)) return summarize(turn)
    if (asksForNotes(turn)) return editNotes(turn)
    return play(turn) ?? introduce(turn)
  }
}

function introduce(turn: ModelTurn): string {
  const asked = lastWords(turn)
  return `I am the offline model: no language model stands behind this answer, only rules. I know no job that fits ${
    asked ? `"${asked}"` : 'this request'
  }.`
}

function lastWords(turn: ModelTurn): string {
  const blocks: readonly Block[] = turn.messages.findLast((message) => message.role === 'user')?.content ?? []
  const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join(' ')
  return text.trim().slice(0, 80)
}
