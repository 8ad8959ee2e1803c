import { asksForSummary, type Block, offline, type SimulatedModel, summarize } from '@nacre/simulator'

const notes = offline()

/** Reads as many files as it is told to, one by one, and then says so; summaries and notes quote what it was shown. */
export const fileReader: SimulatedModel = (turn) => {
  if (turn.source === 'session_memory') return notes(turn)
  if (asksForSummary(turn)) return summarize(turn, { budget: 1_000 })
  const blocks = turn.messages.flatMap(({ role, content }) => content.map((block) => ({ role, block })))
  const asked = blocks.findLastIndex(({ role, block }) => role === 'user' && wantedIn(block) !== undefined)
  const wanted = wantedIn(blocks[asked]?.block) ?? 0
  const done = blocks.slice(asked + 1).filter(({ block }) => block.type === 'tool_result').length
  if (done >= wanted) return `Read ${done} of them.`
  return ['Next.', { type: 'tool_use', name: 'Read', input: { file_path: `part-${(done % 6) + 1}.ts` } }]
}

function wantedIn(block: Block | undefined): number | undefined {
  const found = block?.type === 'text' ? /Read (\d+) files/.exec(String(block.text)) : undefined
  return found ? Number(found[1]) : undefined
}
