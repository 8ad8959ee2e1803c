import { type Block, estimateText, type HookContext, type ToolCall, type ToolResult } from '@nacre/core'
import { contentText, withText } from './content-text.js'
import { keepText } from './keep-text.js'
import type { HeldResult, MessageResults } from './message-results.js'
import type { ResultLimits } from './result-limits.js'
import { reviseLogged } from './revise-logged.js'
import { shrinkingText } from './shrinking-text.js'
import type { StorageParts } from './storage-parts.js'

/** Lets a result into its message: whole, or as a preview where it, or the message with it, would be too long. */
export async function judgeResult(
  parts: StorageParts,
  call: ToolCall,
  value: ToolResult,
  context: HookContext,
): Promise<ToolResult | undefined> {
  const limits = parts.limits(context.view())
  const results = parts.resultsOf(context.hooks).of(call)
  const held = hold(parts, call, value.content, limits)
  const judged = await results.inOrder(async () => {
    await shortenAlone(parts, call, held, limits)
    await shortenTogether(parts, results, held, limits, context)
    return shownResult(value, held)
  })
  // After an abort nobody takes the answer: the result is in the log as the tool gave it, and judged again later.
  if (!context.signal.aborted) parts.judged.add(call.id)
  return judged
}

/** Looks at a result with what may become of it. Text that is blank is left to core, which says so. */
export function hold(
  { tools, store, sessionId, readTool }: StorageParts,
  call: ToolCall,
  content: readonly Block[],
  limits: ResultLimits,
): HeldResult {
  const text = contentText(content)
  const limit = tools.of(call, limits)
  const name = `tool-results/${sessionId}/${call.id}`
  const { preview } = limits
  const keep = () => keepText(text, { store, name, preview, cutTo: limit, readTool })
  const isKept = limit === Number.POSITIVE_INFINITY || text.trim() === ''
  return { call: call.id, content, text: isKept ? shrinkingText(text) : shrinkingText(text, keep) }
}

/** Puts a result away that is too long by itself. */
export async function shortenAlone(
  parts: StorageParts,
  call: ToolCall,
  { text }: HeldResult,
  limits: ResultLimits,
): Promise<void> {
  const { length } = text.shown()
  const isTooLong = length > parts.tools.of(call, limits) || estimateText(text.shown()) > limits.tokens
  if (isTooLong && parts.flag('results') && text.canShrink()) await text.shrink()
}

async function shortenTogether(
  parts: StorageParts,
  results: MessageResults,
  held: HeldResult,
  { message }: ResultLimits,
  context: HookContext,
): Promise<void> {
  // Only the main conversation can be edited: elsewhere a result that was let in stays as it is.
  const mayChange = (other: HeldResult) => other === held || context.source === 'main'
  const limit = parts.flag('messages') ? message : Number.POSITIVE_INFINITY
  const changed = await results.add(held, limit, mayChange)
  const others = changed.filter((other) => other !== held)
  if (others.length > 0) await reviseLogged(parts, results, others, context)
}

function shownResult(value: ToolResult, { text, content }: HeldResult): ToolResult | undefined {
  const logged = text.logged()
  if (logged === undefined) return undefined
  return { ...value, content: withText(content, text.shown()), logged: withText(content, logged) }
}
