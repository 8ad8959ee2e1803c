import type { Hooks } from '../../src/contract/hooks.js'
import type { Draft, Need, Offer, Pace, Relief, Restorer } from '../../src/contract/relief.js'
import type { Round, View } from '../../src/contract/view.js'
import { createDispatcher } from '../../src/hooks/dispatcher.js'
import type { Note } from '../../src/log/edit.js'
import type { Block, Entry, Id, Json, Span } from '../../src/log/entry.js'
import type { SessionEvent } from '../../src/loop/events.js'
import { createRelief } from '../../src/relief/create-relief.js'
import type { CollectedNotes, ReliefParts } from '../../src/relief/relief-parts.js'
import { createConversation } from '../../src/session/conversation.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { estimateBlock } from '../../src/tokens/estimate-block.js'
import { thresholds } from '../../src/tokens/thresholds.js'
import { refKey, type Segment, segmentOf } from '../../src/view/segment.js'
import { recordedOptions, stillTimer } from '../hook-session.js'
import type { PlainMessage } from '../oracle.js'

export const text = (words: string): Block => ({ type: 'text', text: words })
export const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ')

export interface ReliefSessionOptions {
  readonly window?: number
  readonly reliefs?: readonly Relief[]
  readonly restorers?: readonly Restorer[]
  readonly hooks?: Hooks
  readonly pace?: Partial<Pace>
  readonly pinned?: ReadonlySet<Id>
  /** An earlier session's log, taken in as a resume would. */
  readonly log?: readonly Entry[]
  readonly over?: Partial<ReliefParts>
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
    heard: (entry) => log.push(entry),
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
  const view = (): View => viewOf(conversation, limits.compact.tokens, window)
  const parts: ReliefParts = {
    conversation,
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
    ask: () => Promise.reject(new Error('No model is there.')),
    renewEpoch: async () => undefined,
    rules: () => [],
    checkpoint: () => ({ totals: 1 }),
    pinned: () => options.pinned ?? new Set(),
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

function viewOf(conversation: ReliefParts['conversation'], threshold: number, window: number): View {
  const { segments, timeline } = conversation.projection
  const total = Math.ceil(conversation.rendering().tokens)
  return {
    version: conversation.version(),
    rounds: segments.flatMap((segment) => roundOf(conversation, segment)),
    tokens: { total, estimated: total, threshold, window },
    shows(target) {
      const segment = segments[segmentOf(segments, timeline.place(target.entry)?.round ?? -1) ?? -1]
      if (!segment?.round) return 'hidden'
      return segment.replaced.has(refKey(target)) ? 'changed' : 'whole'
    },
    shown(target) {
      const segment = segments[segmentOf(segments, timeline.place(target.entry)?.round ?? -1) ?? -1]
      const block = segment?.round?.entries.find(({ id }) => id === target.entry)?.content[target.block]
      return block ? (segment?.replaced.get(refKey(target))?.change.content ?? [block]) : []
    },
    state: (owner, key): Json | undefined =>
      timeline.states.findLast(({ entry }) => entry.owner === owner && entry.key === key)?.entry.value,
  }
}

function roundOf({ projection }: ReliefParts['conversation'], segment: Segment): Round[] {
  const { rounds } = projection.timeline
  const span = {
    from: rounds[segment.first]?.entries[0]?.id as string,
    to: rounds[segment.last]?.entries.at(-1)?.id as string,
  }
  const entries = [...(segment.round?.entries ?? [])]
  const change = segment.span?.change
  const content = change?.kind === 'fold' ? change.content : [text(change?.note ?? '')]
  const shown = entries.flatMap(({ id, content: blocks }) =>
    blocks.flatMap(
      (block, index) => segment.replaced.get(refKey({ entry: id, block: index }))?.change.content ?? [block],
    ),
  )
  const notes = [...segment.before, ...segment.after].map(({ note }) => text(note.text))
  const size = [...(change ? content : shown), ...notes].reduce((sum, block) => sum + estimateBlock(block), 0)
  return [{ span, tokens: Math.ceil(size), entries, ...(change && { content }) }]
}

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
