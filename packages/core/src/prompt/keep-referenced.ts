import type { Json } from '../log/entry.js'
import type { RenderedMessage } from '../request/rendered.js'
import type { Composition, Named } from './compose-epoch.js'
import { acceptableTools, referencesIn, toolName } from './deferred-tools.js'

/**
 * A composition with those tools of the one before that something in view refers to and nobody brings any more: a call
 * of one is answered with words, a reference to one that is not sent is refused.
 */
export function keepReferenced(
  next: Composition,
  before: Composition,
  messages: readonly RenderedMessage[],
): Composition {
  const lost = new Set(messages.flatMap(({ blocks }) => blocks.flatMap(({ block }) => referencesIn(block))))
  for (const tool of next.epoch.tools) lost.delete(String(toolName(tool)))
  if (lost.size === 0) return next
  const kept = before.epoch.tools.flatMap((bytes, index): { bytes: Json; named: Named }[] => {
    const name = String(toolName(bytes))
    return lost.has(name) ? [{ bytes, named: { owner: before.tools[index]?.owner ?? 'session', name } }] : []
  })
  return {
    ...next,
    epoch: { ...next.epoch, tools: acceptableTools([...next.epoch.tools, ...kept.map(({ bytes }) => bytes)]) },
    tools: [...next.tools, ...kept.map(({ named }) => named)],
  }
}
