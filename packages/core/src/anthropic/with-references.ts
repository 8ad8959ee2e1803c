import type { Block, Json } from '../log/entry.js'

const known = new WeakMap<object, Json>()

/**
 * Messages with a reference on every result, by which it can be deleted from the cache later. Not public API. A message
 * that was sent before gives the same object again, so that nothing is written twice.
 */
export function withReferences(messages: readonly Json[]): readonly Json[] {
  return messages.map((message) => {
    const found = known.get(message as object)
    if (found) return found
    const referenced = refer(message as unknown as Sent) as unknown as Json
    known.set(message as object, referenced)
    return referenced
  })
}

interface Sent {
  readonly content: string | readonly Block[]
}

function refer(message: Sent): Sent {
  const { content } = message
  if (typeof content === 'string' || !content.some(isResult)) return message
  return {
    ...message,
    content: content.map((block) => (isResult(block) ? { ...block, cache_reference: block.tool_use_id } : block)),
  }
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}
