import type { Id } from '../log/entry.js'
import { type BlockPlace, markableAt } from './markers.js'
import type { RenderedMessage } from './rendered.js'

/** The last block that can carry a marker before the first block of that entry. */
export function placeBefore(messages: readonly RenderedMessage[], entry: Id): BlockPlace | undefined {
  const message = findMessage(messages, entry)
  if (message === -1) return undefined
  const block = (messages[message] as RenderedMessage).blocks.findIndex(({ ref }) => ref?.entry === entry)
  return markableAt(messages, { level: 'message', message, block: block - 1 })
}

/** Where an entry was found last in a conversation, by its first message: what is asked for moves on with the turns. */
const found = new WeakMap<RenderedMessage, number>()

/** An entry's blocks all stand in one message. The search goes on where the last one ended, so that it costs what came since. */
function findMessage(messages: readonly RenderedMessage[], entry: Id): number {
  const first = messages[0]
  if (!first) return -1
  const start = Math.min(found.get(first) ?? 0, messages.length)
  for (let step = 0; step < messages.length; step++) {
    const index = (start + step) % messages.length
    if (!messages[index]?.blocks.some(({ ref }) => ref?.entry === entry)) continue
    found.set(first, index)
    return index
  }
  return -1
}
