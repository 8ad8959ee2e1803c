import type { BlockAt } from '../contract/model.js'
import type { RenderedMessage } from './rendered.js'

/** The blocks that the server is told to leave out. Deletions among the messages speak for themselves. */
export function erasedIn(messages: readonly RenderedMessage[]): BlockAt[] {
  return messages.flatMap(({ blocks }, message) =>
    blocks.flatMap(({ weight, ref }, block) => (weight !== undefined && ref ? [{ message, block }] : [])),
  )
}
