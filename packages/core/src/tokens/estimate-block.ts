import type { Block } from '../log/entry.js'
import { estimateText } from './estimate-text.js'

/** Images and documents, whatever their size. */
const MEDIA_TOKENS = 2_000
/** Sealed thinking: base64 of about four characters for each token. */
const SEALED = 0.19

const known = new WeakMap<Block, number>()

/** Tokens of a block, before any model's factor. Blocks never change, so each is looked at once. */
export function estimateBlock(block: Block): number {
  const before = known.get(block)
  if (before !== undefined) return before
  const tokens = count(block)
  known.set(block, tokens)
  return tokens
}

function count(block: Block): number {
  switch (block.type) {
    case 'text':
      return estimateText(String(block.text))
    case 'thinking':
      // What is shown may be a summary or nothing; the whole is in the signature.
      return Math.max(estimateText(String(block.thinking ?? '')), SEALED * String(block.signature ?? '').length)
    case 'redacted_thinking':
      return SEALED * String(block.data ?? '').length
    case 'tool_use':
      return estimateText(String(block.name)) + estimateJson(block.input)
    case 'tool_result':
      return estimateContent(block.content)
    case 'image':
      return MEDIA_TOKENS
    case 'document':
      return estimateDocument(block.source)
    case 'compaction':
      return estimateContent(block.content)
  }
  const { cache_control: _, ...rest } = block
  return estimateJson(rest)
}

function estimateContent(content: unknown): number {
  if (typeof content === 'string') return estimateText(content)
  return Array.isArray(content) ? content.reduce((sum: number, inner: Block) => sum + estimateBlock(inner), 0) : 0
}

/** A document that is plain text is as long as its text. */
function estimateDocument(source: unknown): number {
  const { type, data } = (source ?? {}) as { readonly type?: string; readonly data?: string }
  return type === 'text' && data !== undefined ? estimateText(data) : MEDIA_TOKENS
}

function estimateJson(value: unknown): number {
  return estimateText(JSON.stringify(value) ?? '')
}
