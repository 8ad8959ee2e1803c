import { invalid } from '../api-error.js'
import { type Conversation, pathOf } from './turns.js'

/** A deletion names a result that was sent before it, by the reference that the result carries. */
export function checkCacheEdits({ parts, kinds }: Conversation): void {
  if (!kinds.has('cache_edits')) return
  const known = new Set<unknown>()
  for (const part of parts) {
    if (part.block.cache_reference !== undefined) known.add(part.block.cache_reference)
    if (part.block.type !== 'cache_edits') continue
    for (const { cache_reference } of part.block.edits as { cache_reference: string }[]) {
      if (known.has(cache_reference)) continue
      throw invalid(`${pathOf(part)}: cache_reference '${cache_reference}' not found before the edit`)
    }
  }
}
