import type { Block } from '../log/entry.js'
import type { RenderedMessage } from '../request/rendered.js'
import type { Suspect } from './prediction.js'
import type { SentPrefix } from './sent-prefix.js'

/** The server reads a conversation with images in another way than one without: the first one costs all that was cached. */
export function findImages(before: SentPrefix, after: SentPrefix): Suspect | undefined {
  return firstImage(before.messages) ? undefined : firstImage(after.messages)
}

function firstImage(messages: readonly RenderedMessage[]): Suspect | undefined {
  for (const [message, { blocks }] of messages.entries()) {
    const block = blocks.findIndex((each) => isImage(each.block))
    const owner = blocks[block]?.owner
    if (owner === undefined) continue
    return { cause: 'images', owner, what: `the first image came in message ${message}`, place: { message, block } }
  }
  return undefined
}

function isImage({ type, content }: Block): boolean {
  return type === 'image' || (type === 'tool_result' && Array.isArray(content) && (content as Block[]).some(isImage))
}
