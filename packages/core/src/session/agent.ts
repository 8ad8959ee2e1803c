import { describeBreak } from '../cache/describe-break.js'
import { NacreError } from '../errors.js'
import type { Agent } from '../loop/agent.js'
import { toolBytes } from '../prompt/epoch.js'
import { erasedIn, toMessages } from '../request/markers.js'
import type { SessionEvent } from '../types/events.js'
import type { Change, Note } from '../types/log.js'
import type { ModelEnd } from '../types/model.js'
import type { SessionStore } from '../types/store.js'
import type { ViewTokens } from '../types/view.js'
import type { FoundBreak } from './accounts.js'
import type { Runtime } from './runtime.js'
import { noRoomFor, watchSize } from './size-watch.js'

/** What the conversation, its forks and single questions beside it have in common. */
export type SharedContext = Pick<
  Runtime,
  | 'accounts'
  | 'contributions'
  | 'currentModel'
  | 'options'
  | 'effects'
  | 'stores'
  | 'underway'
  | 'view'
  | 'emit'
  | 'kin'
  | 'source'
>

export function sharedAgent(context: SharedContext, signal: AbortSignal) {
  const { accounts, contributions, currentModel, options, effects, stores, underway, view, emit, kin, source } = context
  const { fallback, ask } = options.details ?? {}
  return {
    signal,
    model: currentModel.model,
    fallBack: () => fallback,
    view,
    tool: contributions.tool,
    toolContext: (call) => ({
      callId: call.id,
      cwd: options.cwd ?? '.',
      signal,
      view: view(),
      store: stores(contributions.ownerOf(call.name) ?? call.name),
      progress: (text) => emit({ type: 'tool-progress', call, text }),
    }),
    askPerson: async (call, reason) => (ask ? ask(call, reason, signal, source) : { unanswered: reason }),
    // A tree has one budget: when it is spent, nobody in it goes on.
    spent: () => (kin?.isBudgetSpent() ? Number.POSITIVE_INFINITY : accounts.ledger().totals().dollars),
    wait: async (milliseconds) => effects.wait(milliseconds, signal),
    random: effects.random,
    watch(what, work) {
      const plugin = what.what === 'tool' ? contributions.ownerOf(what.name) : undefined
      return underway.watch(plugin === undefined ? what : { ...what, plugin }, work)
    },
  } satisfies Partial<Agent>
}

/** A session as its loop sees it, for one query. */
export function createAgent(runtime: Runtime, signal: AbortSignal): Agent {
  const { conversation, currentModel, accounts, contributions, hooks, notes, requests, relief, source } = runtime
  const emit = (event: SessionEvent) => {
    if (event.type === 'delta') runtime.kin?.turn?.pass()
    runtime.emit(event)
  }
  return {
    ...sharedAgent(runtime, signal),
    steering: runtime.steering,
    conversation: runtime.observed,
    hasCall: (id) => conversation.projection.timeline.hasCall(id),
    hooks,
    limits: {
      maxTurns: runtime.options.details?.limits?.maxTurns,
      maxBudgetUsd: runtime.budget,
    },
    async request(model, asked) {
      if (currentModel.renderFor(model.info)) conversation.refresh()
      const { value: fields } = await hooks.transform('PreModelCall', { view: runtime.view(), value: asked })
      const extra = await requests.freeze(fields.extra)
      // What hooks have noted is in the request.
      await notes.flush(runtime.observed)
      await runtime.kin?.turn?.enter(signal)
      const sent = requests.build(model, { ...fields, extra }, relief.nextCut)
      accounts.own.sent(sent, requests.sending(sent), runtime.effects.now())
      return sent.request
    },
    answered: (_request, _model, end) => settle(runtime, end),
    brokenOff(model, usage) {
      runtime.kin?.turn?.pass()
      accounts.add(source, usage, model.info.id)
      emit({ type: 'usage', source, usage })
    },
    async turnBoundary() {
      void runtime.flags.refresh()
      await takeOutDropped(runtime)
      await runtime.background.settle()
      await notes.flush(runtime.observed)
      if (hasOtherTools(runtime)) await announceTools(runtime)
      if (isHardToTell(runtime.view().tokens)) await countOnServer(runtime, signal)
    },
    forbids: (call, tool) => runtime.kin?.calls.forbids?.(call, tool),
    noRoomFor: (prompt) => noRoomFor(runtime, prompt),
    watchSize: () => watchSize(runtime),
    async relieve(pressure, overflow) {
      const { limit, gap } = overflow?.details ?? {}
      if (limit !== undefined) {
        currentModel.observe(limit)
        conversation.refresh()
      }
      if (contributions.reliefs().length === 0) return false
      return relief.relieve(pressure, { signal, ...(gap !== undefined && { gap }) })
    },
    emit,
  }
}

function settle(runtime: Runtime, end: ModelEnd): void {
  const { accounts, requests, emit, source, kin } = runtime
  kin?.turn?.pass()
  const sent = requests.answered(end)
  if (!sent) return
  const found = accounts.own.answered(sent.model, end)
  emit({ type: 'usage', source, usage: end.billed ?? end.usage })
  if (found) tellBreak(runtime, found)
}

/** Tells of a read that should have been and was not, and keeps the two requests for people. */
export function tellBreak({ emit, store, report, kin }: BreakContext, found: FoundBreak): void {
  emit({ type: 'cache-break', cacheBreak: found.cacheBreak })
  kin?.broken(found.cacheBreak)
  keepDifference(store, found).catch((error: unknown) => {
    report(new NacreError('STORE_UNWRITABLE', `The difference behind a cache break could not be kept: ${error}`))
  })
}

type BreakContext = Pick<Runtime, 'emit' | 'store' | 'report' | 'kin'>

/** The two places where the requests part, as text for people. */
async function keepDifference(store: SessionStore, { cacheBreak, before, after }: FoundBreak): Promise<void> {
  await store.put('cache-break.txt', describeBreak(cacheBreak, before, after))
}

/** Whether tools have come in or gone since the session began; nearly always they are the very same. */
function hasOtherTools({ contributions, conversation }: Runtime): boolean {
  const known = conversation.epoch().tools as readonly { readonly name?: string }[]
  const tools = contributions.tools()
  return tools.length !== known.length || tools.some(({ tool }, index) => tool.name !== known[index]?.name)
}

/** How near to the threshold a guess is not good enough, and how much of it has to be one. */
const NEAR = 0.1
const GUESSED = 0.02

function isHardToTell({ total, estimated, threshold }: ViewTokens): boolean {
  return Math.abs(total - threshold) < threshold * NEAR && estimated >= threshold * GUESSED
}

/** What the server did not read is not sent again. */
async function takeOutDropped({ requests, observed, view }: Runtime): Promise<void> {
  const shown = requests.takeDropped().filter((target) => view().shows(target) === 'whole')
  const changes = shown.map((target): Change => ({ kind: 'replace', target, content: [] }))
  if (changes.length === 0) return
  await observed.edit({ owner: 'core', reason: 'thinking that the server left out', changes })
}

/**
 * Brings in tools that a session did not begin with, where the model takes them in the middle of a conversation; with
 * other models they come with the next fold.
 */
async function announceTools({ contributions, currentModel, conversation, observed }: Runtime): Promise<void> {
  if (!currentModel.model().info.can.has('tool-changes')) return
  const names = new Set(conversation.epoch().tools.map((tool) => (tool as { readonly name?: string }).name))
  // A deferred one waits until it is asked for, one that the server runs for the next fold: no note can bring it.
  const others = contributions.tools().filter(({ tool }) => !tool.isDeferred && !tool.server && !names.has(tool.name))
  if (others.length === 0) return
  const known = broughtIn(conversation.rendering().messages)
  for (const { owner, tool } of others.filter(({ tool }) => !known.has(tool.name))) {
    const note: Note = { text: `The tool ${tool.name} is available now.`, trust: 'runtime', tool: toolBytes(tool) }
    await observed.edit({ owner, reason: 'a tool came in', changes: [{ kind: 'insert', note }] })
  }
}

type Messages = ReturnType<Runtime['conversation']['rendering']>['messages']

/** The tools that have come in since the session began, by name. */
export function broughtIn(messages: Messages): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { role, blocks } of messages) {
    if (role !== 'system') continue
    for (const { block } of blocks) {
      const { definition } = (block.tool ?? {}) as { readonly definition?: { readonly name: string } }
      if (definition) names.add(definition.name)
    }
  }
  return names
}

/** Lets the server count where the estimate could decide wrongly: counting is free, a needless fold is not. */
async function countOnServer(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { currentModel, conversation, compositions, requests, ttl } = runtime
  const model = currentModel.model()
  if (!model.count) return
  const { messages, prefix } = conversation.rendering()
  const request = {
    model: model.info.id,
    epoch: compositions.of(conversation.epoch()).epoch,
    messages: toMessages(messages, [], ttl),
    fields: { extra: requests.frozenFields() ?? {} },
    prefix,
    erased: erasedIn(messages),
  }
  // Without an answer the estimate stands: it is all there was before.
  const tokens = await model.count(request, signal).catch(() => undefined)
  if (tokens !== undefined) runtime.counted(tokens)
}
