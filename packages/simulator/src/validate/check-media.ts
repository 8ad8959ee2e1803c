import { invalid } from '../api-error.js'
import type { ModelSpec } from '../models/model-spec.js'
import type { Block } from '../wire.js'
import type { Conversation } from './turns.js'

const MOST = 600
const MOST_ON_SMALL_WINDOWS = 100
const SMALL_WINDOW = 200_000

/** A request holds so many images and documents, wherever they stand. */
export function checkMedia({ parts, kinds }: Conversation, spec: ModelSpec): void {
  if (!kinds.has('image') && !kinds.has('document') && !kinds.has('tool_result')) return
  const limit = spec.window > SMALL_WINDOW ? MOST : MOST_ON_SMALL_WINDOWS
  const count = parts.reduce((sum, { block }) => sum + mediaIn(block), 0)
  if (count > limit) throw invalid(`messages: too many images and documents: ${count} > ${limit}`)
}

function mediaIn(block: Block): number {
  if (block.type === 'image') return 1
  if (block.type === 'document') return isPaged(block.source as { type: string }) ? 1 : 0
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return 0
  return (block.content as Block[]).reduce((sum, inner) => sum + mediaIn(inner), 0)
}

/** Plain text has no pages. */
function isPaged({ type }: { readonly type: string }): boolean {
  return type !== 'text' && type !== 'content'
}
