import type { ModelSpec } from '../models/model-spec.js'
import type { Block, Tool } from '../wire.js'
import { countText } from './count-text.js'
import type { TokenMemo } from './token-memo.js'

/** Flat counts for what has no text to count; see `docs/assumptions.md`. */
const IMAGE_TOKENS = 1_600
const PDF_TOKENS = 2_000
const PROVIDED_TOOL_TOKENS = 400

export type BlockTokens = (block: Block | Tool, digest: string) => number

/** Counts blocks for one model. The tokenizer runs once for each block, whatever the model and the request. */
export function blockTokens(spec: ModelSpec, memo: TokenMemo): BlockTokens {
  return (block, digest) => {
    const raw = memo.count(digest, () => textsOf(block).reduce((sum, text) => sum + countText(text), 0))
    return Math.ceil(raw * spec.tokenFactor) + flatTokens(block)
  }
}

function textsOf(block: Block | Tool): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text as string]
    case 'tool_use':
    case 'server_tool_use':
      return [block.name as string, JSON.stringify(block.input)]
    case 'tool_result':
      return contentTexts(block.content)
    case 'document':
      return documentTexts(block as Block)
    case 'compaction':
      return [(block.content as string | null) ?? '']
    case 'image':
    case 'thinking':
    case 'redacted_thinking':
    case 'effort':
    case 'cache_edits':
      return []
    case undefined:
    case null:
    case 'custom':
      return [block.name as string, (block.description as string) ?? '', JSON.stringify(block.input_schema)]
  }
  if (isProvidedTool(block)) return []
  const { cache_control: _, ...rest } = block
  return [JSON.stringify(rest)]
}

function flatTokens(block: Block | Tool): number {
  if (block.type === 'text') return 0
  if (block.type === 'image') return IMAGE_TOKENS
  if (block.type === 'document') {
    const { type, content } = block.source as { type: string; content?: unknown }
    return type === 'text' ? 0 : type === 'content' ? contentFlat(content) : PDF_TOKENS
  }
  if (block.type === 'tool_result') return contentFlat(block.content)
  return isProvidedTool(block) ? PROVIDED_TOOL_TOKENS : 0
}

function isProvidedTool(block: Block | Tool): boolean {
  return 'name' in block && block.type != null && block.type !== 'custom' && !('input' in block)
}

function contentTexts(content: unknown): readonly string[] {
  return typeof content === 'string' ? [content] : ((content ?? []) as Block[]).flatMap(textsOf)
}

function contentFlat(content: unknown): number {
  return Array.isArray(content) ? (content as Block[]).reduce((sum, inner) => sum + flatTokens(inner), 0) : 0
}

function documentTexts(block: Block): readonly string[] {
  const source = block.source as { type: string; data?: string; content?: unknown }
  const about = [block.title, block.context].filter((text) => typeof text === 'string')
  if (source.type === 'text') return [...about, source.data ?? '']
  return source.type === 'content' ? [...about, ...contentTexts(source.content)] : about
}
