import { type HookContext, type Id, isNacreError, type View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { collapseMarks } from './collapse-marks.js'
import { finishedSpans, type Known } from './finished-spans.js'
import { readParts } from './read-parts.js'
import { keptSummary, summaryEntry } from './span-book.js'
import { spanPrompt } from './span-prompt.js'
import type { Summaries } from './units.js'
import type { WorkSpan } from './work-span.js'

/** Writes summaries of finished spans in the background, and knows which there are. */
export interface Summariser {
  /** Begins with what has no summary yet, unless it is at work. Never waits. */
  start(view: View, context: HookContext, isPinned: Known['isPinned']): void
  /** Where the span that begins with an entry ends, once somebody has asked for it. */
  endOf(view: View, from: Id): Id | undefined
  reader(view: View): Summaries
  /** Whether it was asked for and none came: none will. */
  hasFailed(span: WorkSpan): boolean
  stop(): void
}

/** Several spans are asked for at once: each question reads the whole context. */
const SPANS_AT_ONCE = 8

/** What has to wait for summaries before they are asked for, in tokens of a full window. */
const BATCH = 24_000

type State = 'asked' | 'failed'

export function createSummariser({ store, flag }: Parts): Summariser {
  const stopped = new AbortController()
  const known = new Map<Id, { readonly to: Id; readonly state: State }>()
  let isAtWork = false

  const endOf = (view: View, from: Id) => keptSummary(view, from)?.to ?? known.get(from)?.to
  const kept = (view: View, { span }: WorkSpan) => {
    const summary = keptSummary(view, span.from)
    return summary?.to === span.to ? summary : undefined
  }

  const write = async (view: View, context: HookContext, spans: readonly WorkSpan[], signal: AbortSignal) => {
    const prompt = spanPrompt(view, spans)
    const result = await context.fork({ source: 'compact', prompt, maxTurns: 1, allow: () => false, signal })
    const isText = result.stop !== 'tool_use' && result.turns === 1
    const parts = isText ? readParts(result.text, spans) : new Map<WorkSpan, string>()
    const dollars = result.usage.dollars / Math.max(1, parts.size)
    // Switched off meanwhile, it leaves nothing behind.
    if (parts.size > 0 && flag('collapse'))
      await store.append([...parts].map(([{ span }, text]) => summaryEntry(span, text, dollars)))
    for (const { span } of spans) known.set(span.from, { to: span.to, state: 'failed' })
  }

  /** What was stopped may be asked for again; what failed is not, so that nothing is paid for twice. */
  const settle = (spans: readonly WorkSpan[], error: unknown) => {
    const isStopped = stopped.signal.aborted || isNacreError(error, 'ABORTED')
    for (const { span } of spans) {
      if (isStopped) known.delete(span.from)
      else known.set(span.from, { to: span.to, state: 'failed' })
    }
  }

  return {
    endOf,
    hasFailed: ({ span }) => known.get(span.from)?.state === 'failed',
    reader: (view) => (span) => kept(view, span),
    start(view, context, isPinned) {
      if (isAtWork || stopped.signal.aborted || !isNear(view)) return
      const all = finishedSpans(view, { endOf: (from) => endOf(view, from), isPinned })
      const spans = all.filter((span) => !kept(view, span) && !known.has(span.span.from)).slice(0, SPANS_AT_ONCE)
      if (spans.length === 0 || !isTime(view, spans)) return
      isAtWork = true
      for (const { span } of spans) known.set(span.from, { to: span.to, state: 'asked' })
      context.defer(async (signal) => {
        try {
          await write(view, context, spans, AbortSignal.any([signal, stopped.signal]))
        } catch (error) {
          settle(spans, error)
        } finally {
          isAtWork = false
        }
      })
    },
    stop: () => stopped.abort(),
  }
}

function isNear({ tokens }: View): boolean {
  return tokens.total >= collapseMarks(tokens).summarise
}

/** Whether enough has gathered to be worth a question, or it is needed now. */
function isTime({ tokens }: View, spans: readonly WorkSpan[]): boolean {
  const { fold, scale } = collapseMarks(tokens)
  return tokens.total >= fold || spans.reduce((sum, span) => sum + span.tokens, 0) >= BATCH * scale
}
