import type { Block, CompactPlan, Round } from '@nacre/core'
import { normalised } from './normalised.js'
import type { SummaryOrder } from './summary-prompt.js'
import type { SummaryTask } from './summary-task.js'

const QUOTED = 160

/** What to ask for: the wishes of everybody in the order of their weight, and the part that a person chose. */
export function summaryOrder(task: SummaryTask, { instructions }: CompactPlan, hasDraft: boolean): SummaryOrder {
  const part = partOf(task)
  return { instructions: [...instructions, task.parts.settings.instructions], hasDraft, ...(part && { part }) }
}

function partOf({ view, need, span }: SummaryTask): SummaryOrder['part'] {
  if (!need.part) return undefined
  const { rounds } = view
  if ('from' in need.part) {
    const first = rounds.find((round) => round.span.from === span.from)
    return { side: 'from', begins: beginning(first) }
  }
  const last = rounds.findIndex((round) => round.span.to === span.to)
  return { side: 'upTo', begins: beginning(rounds[last + 1]) }
}

function beginning(round: Round | undefined): string {
  const blocks = round?.content ?? round?.entries.flatMap(({ content }) => content) ?? []
  const words = blocks.map(wordsOf).find((text) => text !== '') ?? ''
  // Half of a surrogate pair is no text: the API refuses it.
  return words.length > QUOTED ? `${words.slice(0, QUOTED).replace(/[\uD800-\uDBFF]$/, '')}…` : words
}

function wordsOf({ type, text, name, input }: Block): string {
  if (type === 'text') return normalised(String(text))
  return type === 'tool_use' ? normalised(`${name} ${JSON.stringify(input)}`) : ''
}
