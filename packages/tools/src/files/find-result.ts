import type { BlockRef, Id, Round } from '@nacre/core'

/** Where rounds of a view have the result of a call, newest first. */
export function findResult(rounds: readonly Round[], call: Id): BlockRef | undefined {
  for (const { entries } of rounds.toReversed()) {
    for (const { kind, id, content } of entries.toReversed()) {
      if (kind !== 'user') continue
      const block = content.findIndex(({ type, tool_use_id }) => type === 'tool_result' && tool_use_id === call)
      if (block >= 0) return { entry: id, block }
    }
  }
  return undefined
}
