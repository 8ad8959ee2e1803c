import { late } from '../async/late.js'
import type { ModelEnd } from '../contract/model.js'
import type { SessionStore } from '../contract/store.js'
import type { ViewTokens } from '../contract/view.js'
import type { Agent } from '../loop/agent.js'
import { NacreError } from '../nacre-error.js'
import type { FoundBreak } from './accounts.js'
import { pluginStore } from './plugin-store.js'
import type { Runtime } from './runtime.js'

const dropped = late(() => import('./take-out-dropped.js'))
const newTools = late(() => import('./announce-tools.js'))
const counting = late(() => import('./size-up.js'))
const breaks = late(() => import('../cache/describe-break.js'))

/** A session as its loop sees it, for one query. */
export function createAgent(runtime: Runtime, signal: AbortSignal): Agent {
  const { conversation, seat, accounts, relief, senses, status, kit, options, emit } = runtime
  const { limits = {}, fallback, ask } = options.details ?? {}
  const store = pluginStore(runtime.store, () => conversation)
  return {
    conversation: runtime.told,
    hooks: runtime.hooks,
    signal,
    limits: { maxTurns: limits.maxTurns ?? Number.POSITIVE_INFINITY, maxBudgetUsd: runtime.budget },
    model: seat.model,
    fallBack: () => fallback,
    view: runtime.view,
    async request(model, fields) {
      if (seat.renderFor(model.info)) conversation.refresh()
      const sent = await runtime.requests.build(model, fields)
      await accounts.sent('main', sent, status.edits, senses.now())
      status.sent = sent
      return sent.request
    },
    answered: (_request, _model, end) => settle(runtime, end),
    brokenOff(model, usage) {
      accounts.ledger().add('main', usage, model.info.id)
      emit({ type: 'usage', source: 'main', usage })
    },
    async turnBoundary() {
      void runtime.flags.refresh()
      if (status.dropped) await (await dropped()).takeOutDropped(runtime)
      await runtime.background.settle()
      await runtime.notes.flush()
      if (hasOtherTools(runtime)) await (await newTools()).announceTools(runtime)
      if (isHardToTell(runtime.view().tokens)) await (await counting()).sizeUp(runtime)
    },
    tool: kit.tool,
    forbids: () => undefined,
    toolContext: (call) => ({
      callId: call.id,
      cwd: options.cwd ?? '.',
      signal,
      view: runtime.view(),
      store,
      progress: (text) => emit({ type: 'tool-progress', call, text }),
    }),
    askPerson: async (call, reason) => (ask ? ask(call, reason, signal) : 'deny'),
    async relieve(pressure, overflow) {
      const { limit, gap } = overflow?.details ?? {}
      if (limit !== undefined) {
        seat.observe(limit)
        conversation.refresh()
      }
      if (kit.reliefs().length === 0) return false
      return relief.relieve(pressure, { signal, ...(gap !== undefined && { gap }) })
    },
    spent: () => accounts.ledger().totals().dollars,
    emit,
    wait: async (milliseconds) => senses.wait(milliseconds, signal),
    random: senses.random,
  }
}

function settle({ accounts, requests, status, store, emit, report }: Runtime, end: ModelEnd): void {
  const { sent } = status
  if (!sent) return
  requests.answered(sent)
  status.edits = []
  const found = accounts.answered('main', sent, end)
  status.dropped = end.thinkingDropped.length > 0 || end.droppedPaths ? { sent, end } : undefined
  emit({ type: 'usage', source: 'main', usage: end.billed ?? end.usage })
  if (!found) return
  emit({ type: 'cache-break', cacheBreak: found.cacheBreak })
  keepDifference(store, found).catch((error: unknown) => {
    report(new NacreError('STORE_UNWRITABLE', `The difference behind a cache break could not be kept: ${error}`))
  })
}

/** The two places where the requests part, as text for people. */
async function keepDifference(store: SessionStore, { cacheBreak, before, after }: FoundBreak): Promise<void> {
  const { describeBreak } = await breaks()
  await store.put('cache-break.txt', describeBreak(cacheBreak, before, after))
}

/** Whether tools have come in or gone since the session began; nearly always they are the very same. */
function hasOtherTools({ kit, conversation }: Runtime): boolean {
  const known = conversation.epoch().tools as readonly { readonly name?: string }[]
  const tools = kit.tools()
  return tools.length !== known.length || tools.some(({ tool }, index) => tool.name !== known[index]?.name)
}

/** How near to the threshold a guess is not good enough, and how much of it has to be one. */
const NEAR = 0.1
const GUESSED = 0.02

function isHardToTell({ total, estimated, threshold }: ViewTokens): boolean {
  return Math.abs(total - threshold) < threshold * NEAR && estimated >= threshold * GUESSED
}
