import type { WireUsage } from '../anthropic/wire.js'
import type { Block } from '../log/entry.js'

/** A line of a Claude Code session, as far as it is read here. */
export interface SessionRecord {
  readonly type: string
  readonly subtype?: string
  readonly uuid?: string
  readonly parentUuid?: string | null
  readonly timestamp?: string
  readonly isSidechain?: boolean
  readonly isMeta?: boolean
  readonly isCompactSummary?: boolean
  readonly isApiErrorMessage?: boolean
  readonly compactMetadata?: { readonly trigger?: string; readonly preTokens?: number }
  readonly message?: {
    readonly id?: string
    readonly model?: string
    readonly content?: string | readonly Block[]
    readonly stop_reason?: string | null
    readonly usage?: WireUsage
  }
}

/** Why a record is no part of the conversation, or `undefined` when it is. */
export function skipReason(record: SessionRecord): string | undefined {
  if (record.isSidechain) return 'of sub-agents'
  if (record.type === 'system') return record.subtype === 'compact_boundary' ? undefined : `of type system`
  if (record.type !== 'user' && record.type !== 'assistant') return `of type ${record.type}`
  if (!record.message?.content) return 'without content'
  // The program's own words in the model's place: no model has said or read them.
  if (record.isApiErrorMessage || record.message.model === '<synthetic>') return 'made up by the program'
  return undefined
}

/** The content of a record as blocks that a request may hold: nothing blank, no markers. */
export function blocksOf({ message }: SessionRecord): Block[] {
  const content = message?.content ?? []
  return typeof content === 'string' ? clean([{ type: 'text', text: content }]) : clean(content)
}

function clean(blocks: readonly Block[]): Block[] {
  return blocks
    .filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
    .map(({ cache_control: _, ...block }) =>
      block.type === 'tool_result' && Array.isArray(block.content)
        ? { ...block, content: clean(block.content) }
        : (block as Block),
    )
}
