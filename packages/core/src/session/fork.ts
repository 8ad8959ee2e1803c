import { isYes, realTimer } from '../async.js'
import { type Conversation, createConversation } from '../conversation/conversation.js'
import { createView } from '../conversation/view.js'
import { NacreError } from '../errors.js'
import { createDispatcher } from '../hooks/dispatcher.js'
import type { Agent, Caller } from '../loop/agent.js'
import { backOff, callModel, isPassing } from '../loop/answer.js'
import { query } from '../loop/query.js'
import { toMessages, toSystem } from '../request/markers.js'
import { memoryStore } from '../stores/memory-store.js'
import { addUsage, NO_USAGE } from '../tokens/cost.js'
import type { AskOptions, AskResult, ForkOptions, ForkResult, Source } from '../types/fork.js'
import type { AssistantEntry, BlockRef, Json, Usage } from '../types/log.js'
import type { Model, Request } from '../types/model.js'
import type { View } from '../types/view.js'
import type { CacheWatch } from './accounts.js'
import { type SharedContext, sharedAgent, tellBreak } from './agent.js'
import {
  baseUpTo,
  bill,
  type ForkBase,
  forkBase,
  forkRequest,
  type Progress,
  promptBase,
  viewBase,
  watchProgress,
} from './fork-base.js'
import type { Forks, ForkTurn, Runtime } from './runtime.js'
import { pluginStores } from './session-log.js'

type ForkContext = SharedContext &
  Pick<
    Runtime,
    | 'background'
    | 'budget'
    | 'compositions'
    | 'conversation'
    | 'id'
    | 'isOn'
    | 'plugins'
    | 'queries'
    | 'report'
    | 'requests'
    | 'store'
    | 'ttl'
  >

export function createForks(context: ForkContext): Forks {
  const turns = createForkTurns()
  return {
    fork: (options) => runFork(context, turns, options),
    ask: (options) => runAsk(context, options),
    turn: turns,
  }
}

interface Fork {
  readonly options: ForkOptions
  readonly base: ForkBase
  readonly conversation: Conversation
  /** What the conversation showed when it began, and what was said in it since. */
  view(): View
  readonly signal: AbortSignal
  readonly spent: Usage[]
  readonly progress: Progress
  readonly turn: ForkTurn
  readonly watch: CacheWatch
}

async function runFork(context: ForkContext, turns: Forks['turn'], options: ForkOptions): Promise<ForkResult> {
  const base = baseOf(context, options)
  const own = new AbortController()
  const stop = () => own.abort(new NacreError('ABORTED', 'The fork was stopped.'))
  const signals = [
    ...(options.isDetached ? [] : [context.queries.signal()]),
    ...(options.signal ? [options.signal] : []),
  ]
  for (const signal of signals) {
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  }
  const turn = turns(base.prefix)
  const watch = context.accounts.watch(options.source, base.marksOwn ? undefined : context.accounts.own)
  const conversation = await sidechain(context, base)
  const progress = watchProgress(options.source, context.emit, realTimer)
  const view = forkView(context.view(), conversation)
  const fork: Fork = { options, base, conversation, view, signal: own.signal, spent: [], turn, watch, progress }
  try {
    const { reason, error } = await query(forkAgent(context, fork), { content: options.prompt })
    if (error) throw error
    if (reason === 'aborted') throw own.signal.reason
    return resultOf(fork)
  } finally {
    turn.pass()
    watch.end()
    progress.stop()
    for (const signal of signals) signal.removeEventListener('abort', stop)
    await keep(context, fork)
  }
}

function baseOf(context: ForkContext, { extends: extended, upTo }: ForkOptions): ForkBase {
  if (upTo !== undefined) {
    const base = baseUpTo(context, upTo)
    if (base) return base
    throw new NacreError('INVALID_REQUEST', `The cache has no entry that ends before '${upTo}': extend all of it.`)
  }
  if (extended === 'prompt') return promptBase(context)
  return extended === 'view' ? viewBase(context) : forkBase(context)
}

/** The log of a fork begins where the prefix that it extends ends. */
async function sidechain({ id, currentModel, effects }: ForkContext, { composition }: ForkBase): Promise<Conversation> {
  const store = await memoryStore().open(id, new AbortController().signal)
  const { now, newId } = effects
  const { rules } = currentModel
  return createConversation({ store, rules, epoch: composition.epoch, writePrice: () => 0, now, newId })
}

function forkAgent(context: ForkContext, fork: Fork): Agent {
  const { options, base, conversation, view, signal, spent, turn, watch, progress } = fork
  const { source, model: chosen } = options
  const charge = bill(context, source, spent)
  const stores = pluginStores(context.store, () => conversation)
  return {
    ...sharedAgent({ ...context, source, view, stores }, signal),
    ...(chosen && { model: () => chosen }),
    steering: { waiting: () => [], settle: async () => undefined },
    conversation,
    hasCall: (id) => [conversation, context.conversation].some((each) => each.projection.timeline.hasCall(id)),
    hooks: createDispatcher({
      plugins: context.plugins.plugins,
      session: {
        sessionId: context.id,
        source,
        isFork: true,
        signal,
        view,
        store: stores,
        propose: async () => ({ refused: 'A fork can not change the conversation that it extends.' }),
        defer: context.background.defer,
        fork: () => Promise.reject(new NacreError('INVALID_REQUEST', 'A fork can not be forked.')),
      },
      isOn: context.isOn,
      notes: () => undefined,
      report: context.report,
    }),
    limits: { maxTurns: options.maxTurns, maxBudgetUsd: context.budget },
    async request(model, fields) {
      await turn.enter(signal)
      const sent = forkRequest(base, conversation.rendering(), source, { model, fields, ttl: context.ttl })
      watch.sent(sent, context.requests.newEdits(), context.effects.now())
      return sent.request
    },
    answered(_request, model, end) {
      turn.pass()
      spent.push(end.billed ?? end.usage)
      context.emit({ type: 'usage', source, usage: end.billed ?? end.usage })
      const found = watch.answered(model, end)
      if (found) tellBreak(context, found)
    },
    brokenOff: ({ info }, usage) => charge(usage, info.id),
    turnBoundary: async () => undefined,
    // Whoever is asked beside the conversation may be the one that makes room in it.
    noRoomFor: () => undefined,
    watchSize: async () => undefined,
    forbids: (call, tool) =>
      isYes(options.allow(call, tool)) ? undefined : `The tool '${call.name}' may not be used for this task.`,
    relieve: async () => false,
    emit: (event) => {
      if (event.type !== 'delta') return
      turn.pass()
      progress.heard(event.block)
    },
  }
}

/** State that a fork writes is its own; what it has not written is as it was when the fork began. */
function forkView(start: View, conversation: Conversation): () => View {
  const own = createView({
    conversation,
    tokens: (estimate) => estimate * start.tokens.factor,
    measure: () => start.tokens,
  })
  return () => {
    const said = own()
    const knows = (target: BlockRef) => (said.shows(target) === 'hidden' ? start : said)
    return {
      version: start.version + said.version,
      tokens: start.tokens,
      get rounds() {
        return [...start.rounds, ...said.rounds]
      },
      shows: (target) => knows(target).shows(target),
      shown: (target) => knows(target).shown(target),
      isPinned: start.isPinned,
      roundsIn: (span) => (said.roundsIn(span).length > 0 ? said : start).roundsIn(span),
      state(owner, key) {
        const own = said.state(owner, key)
        return own === undefined ? start.state(owner, key) : own
      },
    }
  }
}

function resultOf({ conversation, base, spent }: Fork): ForkResult {
  const { rounds } = conversation.projection.timeline
  const answers = rounds.flatMap(({ entries }) => entries).filter((entry) => entry.kind === 'assistant')
  const last = answers.at(-1) as AssistantEntry | undefined
  const texts = (last?.content ?? []).filter(({ type }) => type === 'text').map(({ text }) => String(text))
  return {
    text: texts.join('\n\n'),
    stop: last?.stop ?? 'max_turns',
    covers: base.covers,
    usage: spent.reduce(addUsage, NO_USAGE),
    turns: answers.length,
  }
}

/** What was said in a fork is kept beside the log of its session. */
async function keep({ store, report }: ForkContext, { conversation, options }: Fork): Promise<void> {
  const entries = conversation.projection.timeline.rounds.flatMap((round) => round.entries)
  const name = `fork-${options.source}.jsonl`
  await store.put(name, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')).catch((error: unknown) => {
    report(new NacreError('STORE_UNWRITABLE', `The log of a fork could not be kept: ${error}`, { cause: error }))
  })
}

async function runAsk(context: ForkContext, options: AskOptions): Promise<AskResult> {
  const { emit, currentModel, queries } = context
  const { source } = options
  const signal = AbortSignal.any([queries.signal(), ...(options.signal ? [options.signal] : [])])
  const { request, base } = requestFor(context, options, currentModel.model())
  const watch = base && watchAsk(context, source, base, request)
  const progress = watchProgress(source, emit, realTimer)
  const spent: Usage[] = []
  const charge = bill(context, source, spent)
  const caller: Caller = {
    ...sharedAgent(context, signal),
    request: async () => request,
    answered(_request, model, end) {
      const { usage, billed = usage } = end
      if (!watch) return charge(billed, model.info.id)
      spent.push(billed)
      emit({ type: 'usage', source, usage: billed })
      // What the server read to answer is in the bill alone where it answers with a summary.
      const found = watch.answered(model, { ...end, usage: billed })
      if (found) tellBreak(context, found)
    },
    brokenOff: ({ info }, usage) => charge(usage, info.id),
    emit: (event) => {
      if (event.type === 'delta') progress.heard(event.block)
      else emit(event)
    },
  }
  try {
    const { content, stop } = await answerTo(caller, currentModel.model())
    const texts = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
    const usage = spent.reduce(addUsage, NO_USAGE)
    return { content, text: texts.join('\n\n'), stop, usage, prefix: request.prefix }
  } finally {
    watch?.end()
    progress.stop()
  }
}

/** A question about the conversation should read it from the cache. What makes it a question is no part of the key. */
function watchAsk(context: ForkContext, source: Source, base: ForkBase, request: Request): CacheWatch {
  const { accounts, currentModel, effects, requests } = context
  const { messages, markers, composition, extra } = base
  const watch = accounts.watch(source, accounts.own)
  const sent = {
    request: { ...request, fields: { extra } },
    model: currentModel.model(),
    messages,
    markers,
    composition,
  }
  watch.sent(sent, requests.newEdits(), effects.now())
  return watch
}

async function answerTo(caller: Caller, model: Model) {
  for (let attempt = 1; ; attempt++) {
    caller.signal.throwIfAborted()
    try {
      return (await callModel(caller, model, {})).entry
    } catch (error) {
      caller.signal.throwIfAborted()
      if (!isPassing(error) || !(await backOff(caller, error, attempt))) throw error
    }
  }
}

/** The request of a question, and what it extends, where it is about the conversation. */
function requestFor(
  context: ForkContext,
  options: AskOptions,
  { info }: Model,
): { readonly request: Request; readonly base?: ForkBase } {
  const { messages, system, maxTokens, extra = {}, source } = options
  const limit = maxTokens === undefined ? {} : { maxTokens }
  if (messages) {
    const said = system === undefined ? [] : [{ type: 'text', text: system }]
    const fields = { ...limit, extra: { ...extra, source } }
    return { request: { model: info.id, epoch: { system: said, tools: [] }, messages, fields, prefix: '' } }
  }
  if (system !== undefined) throw new NacreError('INVALID_REQUEST', 'A system prompt goes with messages of its own.')
  const base = viewBase(context)
  const { epoch } = base.composition
  const request = {
    model: info.id,
    epoch: { system: toSystem(epoch.system, base.markers, context.ttl), tools: epoch.tools },
    messages: toMessages(base.messages, base.markers, context.ttl),
    fields: { ...limit, extra: { ...given({ ...base.extra, ...extra }), ...betas(base.extra, extra), source } },
    prefix: base.prefix,
    erased: base.erased,
  }
  return { request, base }
}

/** What goes with every request of the session and not with this one is given as null. */
function given(fields: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function betas(...fields: readonly { readonly [key: string]: Json }[]): { readonly betas?: Json } {
  const all = fields.flatMap((field) => (Array.isArray(field.betas) ? (field.betas as string[]) : []))
  return all.length > 0 ? { betas: [...new Set(all)] } : {}
}

/** The first of those with one prefix goes ahead; the others wait until it can be read from the cache. */
function createForkTurns(): (prefix: string) => ForkTurn {
  const first = new Map<string, Promise<void>>()
  return (prefix) => {
    let state: 'outside' | 'ahead' | 'passed' = 'outside'
    let release = () => {}
    const pass = () => {
      if (state === 'ahead') first.delete(prefix)
      state = 'passed'
      release()
    }
    return {
      pass,
      async enter(signal) {
        if (state !== 'outside') return pass()
        const ahead = first.get(prefix)
        if (ahead) {
          await unlessAborted(ahead, signal)
          state = 'passed'
          return
        }
        state = 'ahead'
        first.set(prefix, new Promise<void>((resolve) => (release = resolve)))
      },
    }
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
