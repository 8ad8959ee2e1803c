import { hashOf } from '../request/canonical.js'
import type { RenderedBlock, RenderedMessage } from '../request/rendered.js'

/** A block of a conversation. */
export interface Place {
  readonly message: number
  readonly block: number
}

/**
 * The first block of the earlier conversation that the later one does not have at its place; `undefined` when the later
 * one only goes on. Both have the same system and tools. Chains are cumulative: where they are the same all before is,
 * so halving finds the place.
 */
export function firstDifference(
  before: readonly RenderedMessage[],
  after: readonly RenderedMessage[],
): Place | undefined {
  const message = firstOtherMessage(before, after)
  const old = before[message]
  if (!old) return undefined
  const now = after[message]
  if (!now || now.role !== old.role) return { message, block: 0 }
  const block = old.blocks.findIndex((each, index) => !isSame(each, now.blocks[index]))
  if (block !== -1) return { message, block }
  // All of it is there, and more behind it: no difference in the last message, which was still open.
  return message === before.length - 1 ? undefined : { message, block: old.blocks.length }
}

function firstOtherMessage(before: readonly RenderedMessage[], after: readonly RenderedMessage[]): number {
  let high = Math.min(before.length, after.length)
  let low = 0
  // Nearly always all is the same.
  if (high > 0 && isSameUpTo(before, after, high - 1)) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isSameUpTo(before, after, middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** A signed summary takes the chain of what it stands for: the number of blocks tells the two apart. What is left out weighs less. */
function isSameUpTo(before: readonly RenderedMessage[], after: readonly RenderedMessage[], index: number): boolean {
  const [old, now] = [before[index], after[index]]
  return old === now || (old?.chain === now?.chain && old?.position === now?.position && old?.tokens === now?.tokens)
}

/** The words of a block are the same where the server leaves it out; its weight is not. */
function isSame(one: RenderedBlock, other: RenderedBlock | undefined): boolean {
  if (one.block === other?.block) return one.weight === other.weight
  return other !== undefined && one.weight === other.weight && hashOf(one.block) === hashOf(other.block)
}
