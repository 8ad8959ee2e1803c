import { createConversation } from '../../src/conversation/conversation.js'
import { createView } from '../../src/conversation/view.js'
import { createDispatcher } from '../../src/hooks/dispatcher.js'
import { createRelief } from '../../src/relief/arbiter.js'
import type { CollectedNotes, ReliefContext } from '../../src/relief/context.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { estimateBlock } from '../../src/tokens/estimate.js'
import { thresholds } from '../../src/tokens/thresholds.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { Hooks } from '../../src/types/hooks.js'
import type { Block, Entry, Id, Note, Span } from '../../src/types/log.js'
import type { Draft, Need, Offer, Pace, Relief, Restorer } from '../../src/types/relief.js'
import type { View } from '../../src/types/view.js'
import { recordedOptions, stillTimer } from '../hooks/hook-session.js'
import type { PlainMessage } from '../view/oracle.js'

export const text = (words: string): Block => ({ type: 'text', text: words })
export const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ')

export interface ReliefSessionOptions {
  readonly window?: number
  readonly reliefs?: readonly Relief[]
  readonly restorers?: readonly Restorer[]
  readonly hooks?: Hooks
  readonly pace?: Partial<Pace>
  /** An earlier session's log, taken in as a resume would. */
  readonly log?: readonly Entry[]
  readonly over?: Partial<ReliefContext>
  /** Where the log is a file. */
  readonly transcript?: string
}

const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }

/** Relief on a real log, with a view made of its segments. */
export async function reliefSession(options: ReliefSessionOptions = {}) {
  const signal = new AbortController().signal
  const store = await memoryStore().open('test', signal)
  const window = options.window ?? 20_000
  let number = 0
  const log: Entry[] = []
  const conversation = createConversation({
    store,
    rules: { isBound: false, hasSystemRole: true, reads: () => true, estimate: estimateBlock },
    epoch: { system: [text('You are.')], tools: [] },
    writePrice: () => 6.25,
    now: () => 0,
    newId: () => `e${++number}`,
    onEntry: (entry) => log.push(entry),
    sizes: { total: () => view().tokens.total, tokens: Math.ceil },
  })
  for (const entry of options.log ?? []) {
    conversation.restore(entry)
    number = Math.max(number, Number(/^e(\d+)$/.exec(entry.id)?.[1] ?? 0))
  }
  const model = {
    id: 'm',
    window,
    maxOutput: 8_000,
    cacheMinimum: 0,
    thinking: 'none' as const,
    can: new Set<never>(),
    price: () => ({ input: 5, output: 25, read: 0.5, write5m: 6.25, write1h: 10 }),
  }
  const limits = thresholds(model)
  const events: SessionEvent[] = []
  const timer = stillTimer()
  let collector: { owner: string; note: Note }[] | undefined
  const stray: { owner: string; note: Note }[] = []
  const hooks = createDispatcher({
    ...recordedOptions([{ name: 'plugin', contribution: { hooks: options.hooks ?? {} } }]).options,
    notes: (owner, notes) => (collector ?? stray).push(...notes.map((note) => ({ owner, note }))),
  })
  const view = createView({
    conversation,
    transcript: options.transcript,
    tokens: Math.ceil,
    measure() {
      const total = Math.ceil(conversation.rendering().tokens)
      return { total, estimated: total, threshold: limits.compact.tokens, window, scale: limits.scale, factor: 1 }
    },
  })
  const parts: ReliefContext = {
    conversation,
    source: 'main',
    hooks,
    view,
    reliefs: () => (options.reliefs ?? []).map((item) => ({ owner: item.name, item })),
    restorers: () => (options.restorers ?? []).map((item) => ({ owner: item.name, item })),
    thresholds: () => limits,
    model: () => model,
    tokens: Math.ceil,
    pace: () => ({ tokensPerTurn: 100, isCold: false, turnsExpected: 50, ttl: '5m', idle: 0, ...options.pace }),
    tool: () => undefined,
    fork: () => Promise.reject(new Error('No model is there.')),
    extendsAnswered: () => true,
    cachedUpTo: () => false,
    ask: () => Promise.reject(new Error('No model is there.')),
    renewEpoch: async () => undefined,
    rules: () => [],
    checkpoint: () => ({ totals: 1 }),
    emit: (event) => events.push(event),
    async collectNotes<T>(work: () => Promise<T>): Promise<CollectedNotes<T>> {
      const own: { owner: string; note: Note }[] = []
      collector = own
      try {
        return { value: await work(), notes: own }
      } finally {
        collector = undefined
      }
    },
    timer: timer.timer,
    ...options.over,
  }
  const entries = async () => {
    const all: Entry[] = []
    for await (const entry of store.read('e1')) all.push(entry)
    return all
  }
  const answer = (content: readonly Block[]) =>
    conversation.append({
      kind: 'assistant',
      content,
      model: 'm',
      messageId: 'x',
      usage: USAGE,
      stop: 'end_turn',
      prefix: '',
    })
  /** A call and its result of that many words; before it a prompt, unless the results of another call wait for an answer. */
  const work = async (resultWords: number, prompt = `prompt ${number}`) => {
    const last = conversation.projection.timeline.rounds.at(-1)?.entries.at(-1)
    const call = `call${number}`
    if (last?.kind !== 'user') await conversation.append({ kind: 'user', content: [text(prompt)] })
    await answer([{ type: 'tool_use', id: call, name: 'read', input: { path: `src/file${number}.ts` } }])
    const result = { type: 'tool_result', tool_use_id: call, content: words(resultWords) }
    await conversation.append({ kind: 'user', content: [result] })
  }
  return {
    relief: createRelief(parts),
    parts,
    conversation,
    view,
    events,
    timer,
    stray,
    signal,
    threshold: limits.compact.tokens,
    entries,
    store,
    /** What has come into the view, in order. */
    log: log as readonly Entry[],
    messages: (): PlainMessage[] =>
      conversation
        .rendering()
        .messages.map(({ role, blocks }) => ({ role, content: blocks.map(({ block }) => block) })),
    decisions: () => events.flatMap((event) => (event.type === 'relief' ? [event.decision] : [])),
    turn: async (resultWords: number, prompt?: string) => {
      await work(resultWords, prompt)
      await answer([text(`answer ${number}`)])
    },
    work,
    prompt: (said: string) => conversation.append({ kind: 'user', content: [text(said)] }),
  }
}

export type ReliefSession = Awaited<ReturnType<typeof reliefSession>>

/** A relief by its rung and what it offers. */
export function relief(
  rung: Relief['rung'],
  offer: (view: View, need: Need) => Offer | undefined,
  name: string = rung,
): Relief {
  return { name, rung, offer }
}

/** The first rounds of a view, up to some from its end. */
export function head(view: View, kept = 2): Span {
  const last = view.rounds[view.rounds.length - 1 - kept]
  return { from: view.rounds[0]?.span.from as Id, to: last?.span.to as Id }
}

export function foldTo(span: Span, summary = 'a summary'): Draft {
  return { changes: [{ kind: 'fold', span, content: [text(summary)] }], reason: 'folded' }
}

/** A relief that folds all but the last rounds. */
export function folding(
  rung: Relief['rung'] = 'summary',
  summary = 'a summary',
  dollars = 1,
  name: string = rung,
): Relief {
  return relief(
    rung,
    (view, { pressure }) =>
      pressure === 'idle'
        ? undefined
        : { span: head(view), frees: 1000, dollars, draft: () => foldTo(head(view), summary) },
    name,
  )
}

/** A relief that clears every result but those of the last rounds. */
export function clearing(dollars = 0, kept = 2): Relief {
  return relief('clear', (view) => {
    const rounds = view.rounds.slice(0, view.rounds.length - kept)
    const targets = rounds.flatMap(({ entries }) =>
      entries.flatMap((entry) =>
        entry.content.flatMap((block, index) =>
          block.type === 'tool_result' && view.shows({ entry: entry.id, block: index }) === 'whole'
            ? [{ block, target: { entry: entry.id, block: index } }]
            : [],
        ),
      ),
    )
    const first = targets[0]
    if (!first) return undefined
    const changes = targets.map(({ block, target }) => ({
      kind: 'replace' as const,
      target,
      content: [{ ...block, content: 'cleared' }],
    }))
    const span = { from: first.target.entry, to: (targets.at(-1) ?? first).target.entry }
    const frees = targets.reduce((sum, { block }) => sum + estimateBlock(block), 0)
    return { span, frees, dollars, draft: () => ({ changes, reason: 'cleared' }) }
  })
}
