import type { ModelThinking } from '../models/model-spec.js'
import { isThinking } from '../thinking/thought.js'
import type { Part } from '../validate/turns.js'
import type { Block, Message } from '../wire.js'

/** A block as the model will see it. One without weight is still in the request, but costs nothing any more. */
export interface PromptPart extends Part {
  readonly weightless?: boolean
}

interface EffectiveInput {
  readonly parts: readonly Part[]
  /** The types of block among them. */
  readonly kinds: ReadonlySet<string>
  readonly body: { readonly messages: readonly Message[] }
  readonly thinking: { readonly dropped: ReadonlySet<Block> }
}

/** What is left of a request once the server has applied what earlier answers and settings say about it. */
export function effectiveParts(
  { parts, kinds, body: { messages }, thinking: { dropped } }: EffectiveInput,
  retention: ModelThinking['retention'],
): readonly PromptPart[] {
  let kept = parts
  if (kinds.has('compaction')) kept = withoutSummarised(kept).filter((part) => !isNoOp(part.block))
  if (dropped.size > 0) kept = kept.filter((part) => !dropped.has(part.block))
  if (retention !== 'all') kept = withoutOldThinking(kept)
  if (!kinds.has('cache_edits') && !messages.some((message) => message.role === 'system')) return kept
  return markWeightless(withEfforts(kept, messages), messages)
}

/** A summary stands for all that came before it. */
export function withoutSummarised(parts: readonly Part[]): readonly Part[] {
  const start = parts.findLastIndex(({ block }) => block.type === 'compaction' && typeof block.content === 'string')
  return start > 0 ? parts.slice(start) : parts
}

function isNoOp(block: Block): boolean {
  return block.type === 'compaction' && block.content == null
}

/** Models that keep thinking for one turn only forget it as soon as a person speaks again. */
function withoutOldThinking(parts: readonly Part[]): readonly Part[] {
  const prompt = parts.findLastIndex(({ role, block }) => role === 'user' && block.type !== 'tool_result')
  return parts.filter((part, index) => index > prompt || !isThinking(part.block))
}

/** A change of effort in mid-conversation is part of what the model reads, though it has no text. */
function withEfforts(parts: readonly Part[], messages: readonly Message[]): readonly Part[] {
  if (!messages.some((message) => message.output_config?.effort)) return parts
  const start = parts[0]?.message ?? 0
  const efforts = messages.flatMap((message, number): Part[] => {
    const effort = message.output_config?.effort
    return effort && number >= start
      ? [{ role: 'system', block: { type: 'effort', effort }, message: number, index: -1 }]
      : []
  })
  return [...parts, ...efforts].sort((a, b) => a.message - b.message || a.index - b.index)
}

function markWeightless(parts: readonly Part[], messages: readonly Message[]): readonly PromptPart[] {
  if (!messages.some(hasPassing)) return parts
  const lastUser = messages.findLastIndex((message) => message.role === 'user')
  const erased = erasedReferences(parts)
  return parts.map((part) => {
    const message = messages[part.message]
    const cleared = message?.clear_at === 'next_user_message' && part.message < lastUser
    const reference = part.block.cache_reference
    return cleared || (typeof reference === 'string' && erased.has(reference)) ? { ...part, weightless: true } : part
  })
}

function erasedReferences(parts: readonly Part[]): ReadonlySet<string> {
  const erased = new Set<string>()
  for (const { block } of parts) {
    if (block.type !== 'cache_edits') continue
    for (const edit of block.edits as { cache_reference: string }[]) erased.add(edit.cache_reference)
  }
  return erased
}

/** Whether something in a message, or something that it says of others, weighs nothing any more. */
function hasPassing({ role, clear_at, content }: Message): boolean {
  if (role === 'system') return clear_at === 'next_user_message'
  return role === 'user' && content.some((block) => block.type === 'cache_edits')
}
