import type { Price } from '../log/edit.js'
import type { RenderedMessage } from '../request/rendered.js'
import { isThinking, type Rendering } from '../request/renderer.js'

/**
 * What an edit did to the request: all that it changed stands behind the messages that stayed the same. Where the server
 * leaves something out, the words are the same and the size is not.
 */
export function priceEdit({ before, after, tokens }: Rendering, writePrice: number): Price {
  const same = before.findIndex(
    (message, index) => message.chain !== after[index]?.chain || message.tokens !== after[index].tokens,
  )
  const kept = same === -1 ? null : (after[same]?.start ?? tokens)
  return {
    freed: (before.at(-1)?.tokens ?? 0) - (after.at(-1)?.tokens ?? 0),
    // Behind a deletion there is less than before it.
    dollars: kept === null ? 0 : (Math.max(0, tokens - kept) * writePrice) / 1_000_000,
    breaksAt: kept,
    thinkingLost: Math.max(0, countThinking(before) - countThinking(after)),
  }
}

function countThinking(messages: readonly RenderedMessage[]): number {
  const isSeen = ({ block, weight }: RenderedMessage['blocks'][number]) => isThinking(block) && weight === undefined
  return messages.reduce((sum, { blocks }) => sum + blocks.filter(isSeen).length, 0)
}
