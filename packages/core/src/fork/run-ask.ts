import type { AskOptions, AskResult } from '../contract/fork.js'
import type { Model, Request } from '../contract/model.js'
import { addUsage, NO_USAGE } from '../cost/usage.js'
import { realTimer } from '../hooks/timer.js'
import type { Json, Usage } from '../log/entry.js'
import type { Agent } from '../loop/agent.js'
import { callModel } from '../loop/call-model.js'
import { NacreError } from '../nacre-error.js'
import { backOff, isPassing } from '../recovery/backoff.js'
import { toMessages, toSystem } from '../request/markers.js'
import { createAgent } from '../session/create-agent.js'
import type { Runtime } from '../session/runtime.js'
import { bill } from './bill.js'
import { viewBase } from './fork-base.js'
import { watchProgress } from './watch-progress.js'

/** Asks a single question beside the conversation, with costs of its own. Its answer is in no log. */
export async function runAsk(runtime: Runtime, options: AskOptions): Promise<AskResult> {
  const { emit, seat, status } = runtime
  const { source } = options
  const signal = AbortSignal.any([status.signal, ...(options.signal ? [options.signal] : [])])
  const request = requestFor(runtime, options, seat.model())
  const progress = watchProgress(source, emit, realTimer)
  const spent: Usage[] = []
  const charge = bill(runtime, source, spent)
  const agent: Agent = {
    ...createAgent(runtime, signal),
    request: async () => request,
    answered({ model }, _model, { usage, billed = usage }) {
      charge(billed, model)
    },
    brokenOff: ({ info }, usage) => charge(usage, info.id),
    emit: (event) => {
      if (event.type === 'delta') progress.heard(event.block)
      else emit(event)
    },
  }
  try {
    const { content, stop } = await answerTo(agent, seat.model())
    const texts = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
    const usage = spent.reduce(addUsage, NO_USAGE)
    return { content, text: texts.join('\n\n'), stop, usage, prefix: request.prefix }
  } finally {
    progress.stop()
  }
}

async function answerTo(agent: Agent, model: Model) {
  for (let attempt = 1; ; attempt++) {
    agent.signal.throwIfAborted()
    try {
      return (await callModel(agent, model, {}, agent.signal, () => undefined)).entry
    } catch (error) {
      agent.signal.throwIfAborted()
      if (!isPassing(error) || !(await backOff(agent, error, attempt))) throw error
    }
  }
}

function requestFor(runtime: Runtime, options: AskOptions, { info }: Model): Request {
  const { messages, system, maxTokens, extra = {}, source } = options
  const limit = maxTokens === undefined ? {} : { maxTokens }
  if (messages) {
    const said = system === undefined ? [] : [{ type: 'text', text: system }]
    const fields = { ...limit, extra: { ...extra, source } }
    return { model: info.id, epoch: { system: said, tools: [] }, messages, fields, prefix: '' }
  }
  if (system !== undefined) throw new NacreError('INVALID_REQUEST', 'A system prompt goes with messages of its own.')
  const base = viewBase(runtime)
  const { epoch } = base.composition
  return {
    model: info.id,
    epoch: { system: toSystem(epoch.system, base.markers, runtime.ttl), tools: epoch.tools },
    messages: toMessages(base.messages, base.markers, runtime.ttl),
    fields: { ...limit, extra: { ...given({ ...base.extra, ...extra }), ...betas(base.extra, extra), source } },
    prefix: base.prefix,
    erased: base.erased,
  }
}

/** What goes with every request of the session and not with this one is given as null. */
function given(fields: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function betas(...fields: readonly { readonly [key: string]: Json }[]): { readonly betas?: Json } {
  const all = fields.flatMap((field) => (Array.isArray(field.betas) ? (field.betas as string[]) : []))
  return all.length > 0 ? { betas: [...new Set(all)] } : {}
}
