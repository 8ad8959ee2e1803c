import { hashOf } from '../request/canonical.js'
import type { RenderedMessage } from '../request/rendered.js'
import { estimateBlock } from '../tokens/estimate-block.js'
import type { Place } from './first-difference.js'

/** Estimated tokens behind a place that the later conversation has no more. It costs what stands behind that place. */
export function removedTokens(
  before: readonly RenderedMessage[],
  after: readonly RenderedMessage[],
  from: Place | undefined,
): number {
  if (!from) return 0
  const kept = new Set<string>()
  for (const { blocks } of after.slice(from.message)) {
    // What the server leaves out now is sent again, and still gone.
    for (const { block, weight } of blocks) if (weight === undefined) kept.add(hashOf(block))
  }
  return before.slice(from.message).reduce((sum, message) => sum + missingIn(message, kept), 0)
}

/** A message's tokens are known as a whole; its missing blocks have their share of them. */
function missingIn({ blocks, tokens, start }: RenderedMessage, kept: ReadonlySet<string>): number {
  const missing = blocks.filter(({ block, weight }) => weight === undefined && !kept.has(hashOf(block)))
  if (missing.length === 0) return 0
  if (missing.length === blocks.length) return tokens - start
  const weigh = (parts: typeof blocks) =>
    parts.reduce((sum, { block, weight = estimateBlock(block) }) => sum + weight, 0)
  return ((tokens - start) * weigh(missing)) / Math.max(1, weigh(blocks))
}
