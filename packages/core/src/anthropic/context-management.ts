import type { Block, Json } from '../types/log.js'
import type { BlockPosition, Request } from '../types/model.js'

/** The beta without which the API clears nothing. */
export const CONTEXT_MANAGEMENT = 'context-management-2025-06-27'

const THINKING = 'clear_thinking_20251015'
const TOOL_USES = 'clear_tool_uses_20250919'

type ContextEdit = { readonly type: string; readonly [field: string]: Json }

/**
 * What the API is asked to clear: what the request says is erased, beside what its fields ask for. It clears from the
 * start on and by the names of tools, so only what is erased from the start on can be asked for. A request for a summary
 * takes no such field.
 */
export function contextManagement(request: Request, thinking: Json | undefined): Json | undefined {
  const { extra = {} } = request.fields
  const { context_management: asked, compaction } = extra
  if (compaction !== undefined) return undefined
  const uses = clearToolUses(request)
  const thoughts = isDisabled(thinking) ? undefined : clearThinking(request, uses !== undefined)
  if (!uses && !thoughts) return asked ?? undefined
  const { edits = [], ...rest } = (asked ?? {}) as { readonly edits?: readonly ContextEdit[] }
  const others = edits.filter(({ type }) => !(type === TOOL_USES && uses) && !(type === THINKING && thoughts))
  // Whoever asks for thinking to be cleared asks for it first, as the API wants it.
  const first = thoughts ? [thoughts] : []
  return { ...rest, edits: [...first, ...others, ...(uses ? [uses] : [])] }
}

function isDisabled(thinking: Json | undefined): boolean {
  return (thinking as { readonly type?: string } | null | undefined)?.type === 'disabled'
}

interface ToolUse {
  readonly name: string
  readonly isErased: boolean
  readonly isInputErased: boolean
}

/** Tools of which nothing is erased are excluded; the first use of another that is not erased ends what can be cleared. */
function clearToolUses(request: Request): ContextEdit | undefined {
  const uses = usesOf(request)
  const erasable = new Set(uses.filter(({ isErased }) => isErased).map(({ name }) => name))
  const end = uses.findIndex(({ name, isErased }) => erasable.has(name) && !isErased)
  const cleared = uses.slice(0, end === -1 ? uses.length : end).findLastIndex(({ isErased }) => isErased) + 1
  if (cleared === 0) return undefined
  const keep = uses.length - cleared
  const within = uses.slice(0, cleared)
  const excluded = namesOf(within.filter(({ name }) => !erasable.has(name)))
  const kept = new Set(namesOf(within.filter(({ isInputErased }) => !isInputErased)))
  const inputs = namesOf(within).filter((name) => !kept.has(name))
  return {
    type: TOOL_USES,
    // Always met: what to clear was decided before.
    trigger: { type: 'tool_uses', value: Math.max(1, keep) },
    keep: { type: 'tool_uses', value: keep },
    ...(excluded.length > 0 && { exclude_tools: excluded }),
    ...(inputs.length > 0 && { clear_tool_inputs: inputs }),
  }
}

function namesOf(uses: readonly ToolUse[]): readonly string[] {
  return [...new Set(uses.map(({ name }) => name))].sort()
}

function usesOf({ messages, erased = [] }: Request): ToolUse[] {
  if (erased.length === 0) return []
  const blocks = erased.map((place) => blockAt(messages, place))
  const results = new Set(blocks.map((block) => block?.tool_use_id))
  const inputs = new Set(blocks.map((block) => (block?.type === 'tool_use' ? block.id : undefined)))
  return messages.flatMap(contentOf).flatMap(({ type, id, name }): ToolUse[] => {
    if (type !== 'tool_use') return []
    return [{ name: String(name), isErased: results.has(id), isInputErased: inputs.has(id) }]
  })
}

/** The turns from the last one whose thinking is erased on keep theirs, one at least. All stays where none is erased. */
function clearThinking(request: Request, clearsUses: boolean): ContextEdit | undefined {
  const { messages, erased = [] } = request
  const gone = new Set(erased.filter((place) => isThinking(blockAt(messages, place))).map(({ message }) => message))
  if (gone.size === 0) return clearsUses ? { type: THINKING, keep: 'all' } : undefined
  const turns = thinkingTurns(messages)
  const kept = turns.findIndex((turn) => !turn.some((message) => gone.has(message)))
  return { type: THINKING, keep: { type: 'thinking_turns', value: kept === -1 ? 1 : turns.length - kept } }
}

/** The messages with thinking of each turn: what is answered between two things that a person says. */
function thinkingTurns(messages: readonly Json[]): number[][] {
  const turns: number[][] = []
  let isOpen = false
  for (const [index, message] of messages.entries()) {
    const content = contentOf(message)
    if ((message as { readonly role: string }).role !== 'assistant') {
      isOpen &&= !content.some(isSaid)
    } else if (content.some(isThinking)) {
      if (isOpen) turns.at(-1)?.push(index)
      else turns.push([index])
      isOpen = true
    }
  }
  return turns
}

/** A deletion, though it stands among what a person says, says nothing. */
function isSaid({ type }: Block): boolean {
  return type !== 'tool_result' && type !== 'cache_edits'
}

function isThinking(block: Block | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}

function blockAt(messages: readonly Json[], { message, block }: BlockPosition): Block | undefined {
  return contentOf(messages[message] as Json)[block]
}

function contentOf(message: Json): readonly Block[] {
  const { content } = message as { readonly content?: unknown }
  return Array.isArray(content) ? (content as Block[]) : []
}
