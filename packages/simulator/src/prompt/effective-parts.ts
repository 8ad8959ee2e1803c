import type { CheckedRequest } from '../validate/check-request.js'
import {
  type Block,
  type ContextEdit,
  isFailedSummary,
  isThinking,
  type Json,
  type Message,
  type MessagesBody,
  type Part,
  withoutSummarised,
} from '../wire/messages.js'

/** A block as the model will see it. One without weight is still in the request, but costs nothing any more. */
export interface PromptPart extends Part {
  readonly weightless?: boolean
}

/** What is left of a request once the server has applied what earlier answers and settings say about it. */
export function effectiveParts({ parts, kinds, body, spec, thinking }: CheckedRequest): readonly PromptPart[] {
  const { messages } = body
  let kept = parts
  if (kinds.has('compaction')) kept = withoutSummarised(kept).filter((part) => !isFailedSummary(part.block))
  if (thinking.dropped.size > 0) kept = kept.filter((part) => !thinking.dropped.has(part.block))
  if (spec.thinking.retention !== 'all' && !namesThinkingToKeep(body)) kept = withoutOldThinking(kept)
  if (!kinds.has('cache_edits') && !messages.some((message) => message.role === 'system')) return kept
  return markWeightless(withEfforts(kept, messages), messages)
}

/** Whether a request says itself which thinking stays, so that the model's own habit does not count. */
function namesThinkingToKeep({ context_management }: MessagesBody): boolean {
  const edits = context_management?.edits ?? []
  return edits.some((edit) => edit.type === 'clear_thinking_20251015' && edit.keep !== undefined)
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

/** What stands where a result was cleared; the API's own words are not documented. */
const CLEARED = '[This tool result was cleared to save context.]'

const DEFAULT_TRIGGER = { type: 'input_tokens', value: 100_000 }
const DEFAULT_KEEP = 3

interface Edited {
  readonly parts: readonly PromptPart[]
  readonly applied: readonly Json[]
}

type Measure = (parts: readonly PromptPart[]) => number

/** Applies the clearing edits of a request to a copy of it, in the order given. */
export function editContext(parts: readonly PromptPart[], edits: readonly ContextEdit[], measure: Measure): Edited {
  let current = parts
  const applied: Json[] = []
  for (const edit of edits) {
    const result =
      edit.type === 'clear_thinking_20251015'
        ? clearThinking(current, edit)
        : edit.type === 'clear_tool_uses_20250919'
          ? clearToolUses(current, edit as ClearToolUses, measure)
          : undefined
    if (!result) continue
    // What stands in a result's place can be longer than a short result was.
    const cleared = Math.max(0, measure(current) - measure(result.parts))
    current = result.parts
    applied.push({ type: edit.type, ...result.count, cleared_input_tokens: cleared })
  }
  return { parts: current, applied }
}

interface Clearing {
  readonly parts: readonly PromptPart[]
  readonly count: { readonly [key: string]: number }
}

function clearThinking(parts: readonly PromptPart[], edit: ContextEdit): Clearing | undefined {
  const keep = edit.keep as 'all' | { type: string; value?: number } | undefined
  if (keep === undefined || keep === 'all' || (keep as { type: string }).type === 'all') return undefined
  const turns = assistantTurns(parts).filter((turn) => turn.some((part) => isThinking(part.block)))
  const old = new Set(turns.slice(0, Math.max(0, turns.length - ((keep as { value?: number }).value ?? 1))).flat())
  if (old.size === 0) return undefined
  return {
    parts: parts.filter((part) => !(old.has(part) && isThinking(part.block))),
    count: { cleared_thinking_turns: turns.filter((turn) => turn[0] && old.has(turn[0])).length },
  }
}

/** The assistant's answers between two things a person said, tool calls and all. */
function assistantTurns(parts: readonly PromptPart[]): PromptPart[][] {
  const turns: PromptPart[][] = []
  let open: PromptPart[] | undefined
  for (const part of parts) {
    if (part.role === 'assistant') {
      if (open) open.push(part)
      else {
        open = [part]
        turns.push(open)
      }
    } else if (part.role === 'user' && part.block.type !== 'tool_result') open = undefined
  }
  return turns
}

interface ClearToolUses extends ContextEdit {
  readonly trigger?: { readonly type: string; readonly value: number } | null
  readonly keep?: { readonly value: number } | null
  readonly clear_at_least?: { readonly value: number } | null
  readonly exclude_tools?: readonly string[] | null
  readonly clear_tool_inputs?: boolean | readonly string[] | null
}

function clearToolUses(parts: readonly PromptPart[], edit: ClearToolUses, measure: Measure): Clearing | undefined {
  const uses = parts.filter(({ block }) => block.type === 'tool_use')
  const trigger = edit.trigger ?? DEFAULT_TRIGGER
  const size = trigger.type === 'tool_uses' ? uses.length : measure(parts)
  if (size <= trigger.value) return undefined

  const keep = edit.keep?.value ?? DEFAULT_KEEP
  const excluded = new Set(edit.exclude_tools ?? [])
  const old = uses.slice(0, Math.max(0, uses.length - keep)).filter(({ block }) => !excluded.has(block.name as string))
  const ids = new Set(old.map(({ block }) => block.id as string))
  if (ids.size === 0) return undefined

  const cleared = parts.map((part) => clearPart(part, ids, edit.clear_tool_inputs ?? false))
  const least = edit.clear_at_least?.value ?? Number.NEGATIVE_INFINITY
  if (measure(parts) - measure(cleared) < least) return undefined
  return { parts: cleared, count: { cleared_tool_uses: ids.size } }
}

function clearPart(part: PromptPart, ids: ReadonlySet<string>, inputs: boolean | readonly string[]): PromptPart {
  const { block } = part
  if (block.type === 'tool_result' && ids.has(block.tool_use_id as string)) {
    return { ...part, block: { ...block, content: CLEARED } }
  }
  const isListed = Array.isArray(inputs) ? inputs.includes(block.name as string) : inputs === true
  if (block.type === 'tool_use' && ids.has(block.id as string) && isListed) {
    return { ...part, block: { ...(block as Block), input: {} } }
  }
  return part
}
