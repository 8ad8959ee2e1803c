import type { Block, BlockRef, Id, ToolCall, View } from '@nacre/core'

/** A result in the log, with the call that it answers. */
export interface LoggedResult {
  readonly call: ToolCall
  readonly target: BlockRef
  readonly block: Block
}

/** The results of the last answer: no answer has been given to them yet. */
export function openResults(view: View): readonly LoggedResult[] {
  const last = view.rounds.findLastIndex(({ entries }) => entries.some(({ kind }) => kind === 'assistant'))
  const entries = view.rounds.slice(Math.max(0, last)).flatMap((round) => round.entries)
  const answer = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const calls = new Map(callsIn(entries[answer]?.content ?? []).map((call) => [call.id, call]))
  return entries.slice(answer + 1).flatMap(({ id, content }) =>
    content.flatMap((block, index): LoggedResult[] => {
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id as Id) : undefined
      return call ? [{ call, target: { entry: id, block: index }, block }] : []
    }),
  )
}

/** The calls of an answer. */
export function callsIn(content: readonly Block[]): readonly ToolCall[] {
  return content.flatMap(({ type, id, name, input }) => (type === 'tool_use' ? [{ id, name, input } as ToolCall] : []))
}
