import type { ForkOptions, ForkResult } from '../contract/fork.js'
import { addUsage, NO_USAGE } from '../cost/usage.js'
import { createDispatcher } from '../hooks/dispatcher.js'
import { realTimer } from '../hooks/timer.js'
import type { AssistantEntry, Usage } from '../log/entry.js'
import type { Agent } from '../loop/agent.js'
import { query } from '../loop/query.js'
import { NacreError } from '../nacre-error.js'
import { type Conversation, createConversation } from '../session/conversation.js'
import { createAgent } from '../session/create-agent.js'
import type { Runtime } from '../session/runtime.js'
import { memoryStore } from '../stores/memory-store.js'
import { bill } from './bill.js'
import { type ForkBase, forkBase, viewBase } from './fork-base.js'
import { forkRequest } from './fork-request.js'
import { type Progress, watchProgress } from './watch-progress.js'

interface Fork {
  readonly options: ForkOptions
  readonly base: ForkBase
  readonly conversation: Conversation
  readonly signal: AbortSignal
  readonly spent: Usage[]
  readonly progress: Progress
  /** Called at the first sign of an answer. */
  begun(): void
}

/** Asks something on the shared prefix of a session, beside it: with its own log, its own signal and its own costs. */
export async function runFork(runtime: Runtime, options: ForkOptions): Promise<ForkResult> {
  const base = options.extends === 'view' ? viewBase(runtime) : forkBase(runtime)
  const own = new AbortController()
  const stop = () => own.abort(new NacreError('ABORTED', 'The fork was stopped.'))
  const signals = [runtime.status.signal, ...(options.signal ? [options.signal] : [])]
  for (const signal of signals) {
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  }
  const begun = await runtime.forkTurns.enter(base.prefix)
  const conversation = await sidechain(runtime, base)
  const progress = watchProgress(options.source, runtime.emit, realTimer)
  const fork: Fork = { options, base, conversation, signal: own.signal, spent: [], begun, progress }
  try {
    const { reason, error } = await query(forkAgent(runtime, fork), { content: options.prompt })
    if (error) throw error
    if (reason === 'aborted') throw own.signal.reason
    return resultOf(fork)
  } finally {
    begun()
    progress.stop()
    for (const signal of signals) signal.removeEventListener('abort', stop)
    await keep(runtime, fork)
  }
}

/** The log of a fork begins where the prefix that it extends ends. */
async function sidechain({ id, seat, senses }: Runtime, { composition }: ForkBase): Promise<Conversation> {
  const store = await memoryStore().open(id, new AbortController().signal)
  const { now, newId } = senses
  return createConversation({ store, rules: seat.rules, epoch: composition.epoch, writePrice: () => 0, now, newId })
}

function forkAgent(runtime: Runtime, { options, base, conversation, signal, spent, begun, progress }: Fork): Agent {
  const { background } = runtime
  const charge = bill(runtime, options.source, spent)
  const { source } = options
  return {
    ...createAgent(runtime, signal),
    conversation,
    hooks: createDispatcher({
      plugins: runtime.plugins.plugins,
      session: {
        sessionId: runtime.id,
        source,
        signal,
        view: runtime.view,
        propose: async () => ({ refused: 'A fork can not change the conversation that it extends.' }),
        defer: background.defer,
        fork: () => Promise.reject(new NacreError('INVALID_REQUEST', 'A fork can not be forked.')),
      },
      isOn: runtime.isOn,
      notes: () => undefined,
      report: runtime.report,
    }),
    limits: { maxTurns: options.maxTurns, maxBudgetUsd: runtime.budget },
    request: async (model, fields) => forkRequest(base, conversation.rendering(), source, model, fields),
    answered({ model }, _model, { usage, billed = usage }) {
      begun()
      charge(billed, model)
    },
    brokenOff: ({ info }, usage) => charge(usage, info.id),
    turnBoundary: async () => undefined,
    forbids: (call, tool) =>
      options.allow(call, tool) ? undefined : `The tool '${call.name}' may not be used for this task.`,
    relieve: async () => false,
    emit: (event) => {
      if (event.type !== 'delta') return
      begun()
      progress.heard(event.block)
    },
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
async function keep({ store, report }: Runtime, { conversation, options }: Fork): Promise<void> {
  const entries = conversation.projection.timeline.rounds.flatMap((round) => round.entries)
  const name = `fork-${options.source}.jsonl`
  await store.put(name, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')).catch((error: unknown) => {
    report(new NacreError('STORE_UNWRITABLE', `The log of a fork could not be kept: ${error}`, { cause: error }))
  })
}
