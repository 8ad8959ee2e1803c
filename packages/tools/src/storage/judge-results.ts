import {
  type Block,
  type Dispatcher,
  type Edit,
  estimateText,
  type HookContext,
  type Id,
  type SessionStore,
  type ToolCall,
  type ToolResult,
  type View,
} from '@nacre/core'
import { stateEntry } from '../conversation.js'
import { textOf } from '../define-tool.js'
import type { ResultLimits, ToolLimits } from './result-limits.js'
import {
  type HeldResult,
  type LoggedResult,
  type MessageResults,
  openResults,
  type ResultsByMessage,
  revisionDraft,
} from './results-by-message.js'
import { fitTexts, keepText, shrinkingText, withText } from './shrinking-text.js'

/** The plugin's name, its flag and the owner of its state. */
export const OWNER = 'tool-result-storage'

export type StorageFlag = 'results' | 'messages' | 'prompts'

/** What the parts of the plugin share in one session. */
export interface StorageContext {
  readonly sessionId: Id
  /** For blobs, which are the session's. What a conversation has to remember goes to the store of its hooks. */
  readonly blobs: Pick<SessionStore, 'put' | 'get'>
  readonly tools: ToolLimits
  readonly readTool: string | undefined
  flag(name: StorageFlag): boolean
  limits(view: View): ResultLimits
  /** Each conversation has a dispatcher of its own, a fork too. */
  resultsOf(hooks: Dispatcher): ResultsByMessage
}

/** Lets a result into its message: whole, or as a preview where it, or the message with it, would be too long. */
export async function judgeResult(
  storage: StorageContext,
  call: ToolCall,
  value: ToolResult,
  context: HookContext,
): Promise<ToolResult | undefined> {
  const limits = storage.limits(context.view())
  const conversation = storage.resultsOf(context.hooks)
  const results = conversation.of(call)
  const held = hold(storage, call, value.content, limits)
  const judged = await results.inOrder(async () => {
    await shortenAlone(storage, call, held, limits)
    await shortenTogether(storage, results, held, limits, context)
    return shownResult(value, held)
  })
  // After an abort nobody takes the answer: the result is in the log as the tool gave it, and judged again later.
  if (!context.signal.aborted) conversation.judged.add(call.id)
  return judged
}

/** Looks at the text of a result with what may become of it; images and the like do not count. Blank text is left to core. */
function hold(
  { tools, blobs, sessionId, readTool }: StorageContext,
  call: ToolCall,
  content: readonly Block[],
  limits: ResultLimits,
): HeldResult {
  const text = textOf({ content })
  const limit = tools.of(call, limits)
  const name = `tool-results/${sessionId}/${call.id}`
  const { preview } = limits
  const keep = () => keepText(text, { store: blobs, name, preview, cutTo: limit, readTool })
  const isKept = limit === Number.POSITIVE_INFINITY || text.trim() === ''
  return { call: call.id, content, text: isKept ? shrinkingText(text) : shrinkingText(text, keep) }
}

/** Puts a result away that is too long by itself. */
async function shortenAlone(
  storage: StorageContext,
  call: ToolCall,
  { text }: HeldResult,
  limits: ResultLimits,
): Promise<void> {
  const { length } = text.shown()
  const isTooLong = length > storage.tools.of(call, limits) || estimateText(text.shown()) > limits.tokens
  if (isTooLong && storage.flag('results') && text.canShrink()) await text.shrink()
}

async function shortenTogether(
  storage: StorageContext,
  results: MessageResults,
  held: HeldResult,
  { message }: ResultLimits,
  context: HookContext,
): Promise<void> {
  // Only the main conversation can be edited: elsewhere a result that was let in stays as it is.
  const mayChange = (other: HeldResult) => other === held || context.source === 'main'
  const limit = storage.flag('messages') ? message : Number.POSITIVE_INFINITY
  const changed = await results.add(held, limit, mayChange)
  const others = changed.filter((other) => other !== held)
  if (others.length > 0) await reviseLogged(results, others, context)
}

/**
 * Shows results that went into the log whole as previews, from the next request on: what is proposed while tools run
 * is installed before it. Written down, so that a process that takes over knows what is still to be done.
 */
async function reviseLogged(
  { revised, names }: MessageResults,
  results: readonly HeldResult[],
  { view, store, propose }: HookContext,
): Promise<void> {
  const isFirst = revised.size === 0
  for (const result of results) revised.add(result)
  if (isFirst) {
    const draft = revisionDraft(
      view,
      () => revised,
      (call) => names.get(call) ?? call,
    )
    // It is answered when this message is complete; a log that can not be written ends the query by itself.
    propose(draft).catch(() => undefined)
  }
  const value = [...revised].map(({ call }) => call)
  await store.append([stateEntry(OWNER, 'owed', value)]).catch(() => undefined)
}

function shownResult(value: ToolResult, { text, content }: HeldResult): ToolResult | undefined {
  const logged = text.logged()
  if (logged === undefined) return undefined
  return { ...value, content: withText(content, text.shown()), logged: withText(content, logged) }
}

type Answer = Promise<Edit | { readonly refused: string }>

/**
 * Judges results that are in the log and that nobody has judged: an abort came in between, or the process that had
 * decided on them was killed. Only those that have not been answered; the rest stays as it was sent.
 */
export async function judgeLate(
  storage: StorageContext,
  context: HookContext,
): Promise<{ answer: Answer } | undefined> {
  const view = context.view()
  const limits = storage.limits(view)
  const { judged } = storage.resultsOf(context.hooks)
  const owed = new Set((view.state(OWNER, 'owed') ?? []) as readonly Id[])
  const isLate = ({ call, target }: LoggedResult) =>
    view.shows(target) === 'whole' && !judged.has(call.id) && (owed.has(call.id) || storage.tools.isKnown(call.name))
  const open = openResults(view)
  const late: HeldResult[] = []
  for (const { call, block } of open.filter(isLate)) {
    const held = hold(storage, call, blocksOf(block.content), limits)
    if (owed.has(call.id)) await held.text.shrink()
    else await shortenAlone(storage, call, held, limits)
    late.push(held)
    judged.add(call.id)
  }
  const others = open.filter((result) => !isLate(result) && view.shows(result.target) === 'whole')
  const taken = others.reduce((sum, { block }) => sum + textOf({ content: blocksOf(block.content) }).length, 0)
  if (storage.flag('messages')) await fitTexts(late, limits.message - taken)
  const revised = late.filter(({ text }) => text.logged() !== undefined)
  if (revised.length === 0) return undefined
  return {
    answer: context.propose(
      revisionDraft(
        context.view,
        () => revised,
        (call) => call,
      ),
    ),
  }
}

function blocksOf(content: unknown): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as readonly Block[])
}
