import { createBreakWatch } from '../cache/breaks.js'
import type { Prediction } from '../cache/predict.js'
import type { OwnedHash, SentPrefix } from '../cache/prefix.js'
import { hashOf } from '../hash.js'
import { coreStateIn } from '../log/timeline.js'
import type { Composition, Named } from '../prompt/epoch.js'
import type { Ttl } from '../request/markers.js'
import { type CostLedger, createCostLedger, promptTokens, type Spent } from '../tokens/cost.js'
import type { CacheBreak } from '../types/events.js'
import type { Source } from '../types/fork.js'
import type { Edit, Entry } from '../types/log.js'
import type { ModelEnd } from '../types/model.js'
import type { Sent } from './requests.js'

export const LIFETIMES: Readonly<Record<Ttl, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 }

/** A break, with the two requests that part. */
export interface FoundBreak {
  readonly cacheBreak: CacheBreak
  readonly before: SentPrefix
  readonly after: SentPrefix
}

/** What a session has cost, and what its cache did. */
export interface Accounts {
  readonly breaks: readonly CacheBreak[]
  ledger(): CostLedger
  /** Takes in what the log says; what is answered now comes by `answered`. */
  restore(entry: Entry): void
  resume(spent: Readonly<Record<string, Spent>>): void
  sent(source: Source, sent: Sent, edits: readonly Edit[], time: number): void
  answered(source: Source, sent: Sent, end: ModelEnd): FoundBreak | undefined
}

export function createAccounts(ttl: Ttl): Accounts {
  const watch = createBreakWatch()
  const breaks: CacheBreak[] = []
  let ledger = createCostLedger()
  let predicted: { readonly prefix: SentPrefix; readonly prediction: Prediction } | undefined
  const resume = (spent: Readonly<Record<string, Spent>>) => {
    ledger = createCostLedger(spent)
  }
  return {
    breaks,
    ledger: () => ledger,
    resume,
    restore(entry) {
      if (entry.kind === 'assistant') ledger.add('main', entry.usage, entry.model)
      const spent = coreStateIn<Record<string, Spent>>(entry, 'spent')
      if (spent) resume(spent)
    },
    sent(source, sent, edits, time) {
      const prefix = toPrefix(sent, edits, time, LIFETIMES[ttl])
      const prediction = watch.sent(source, prefix)
      predicted = prediction && { prefix, prediction }
    },
    answered(source, { model }, { usage, billed, deleted }) {
      ledger.add(source, billed ?? usage, model.info.id)
      const found = watch.answered(source, usage, model.info.price(promptTokens(usage)), deleted)
      if (!found || !predicted) return undefined
      breaks.push(found)
      return { cacheBreak: found, before: predicted.prediction.before, after: predicted.prefix }
    },
  }
}

function toPrefix(sent: Sent, edits: readonly Edit[], time: number, lifetime: number): SentPrefix {
  const { request, model, messages, markers, composition } = sent
  // Who asks, and what the server is asked to explain, are no part of the key.
  const { source: _source, diagnostics: _diagnostics, ...settings } = request.fields.extra ?? {}
  return {
    model: model.info.kin?.(model.info.id).key ?? model.info.id,
    cacheMinimum: model.info.cacheMinimum,
    settings: JSON.stringify(settings),
    ...headOf(composition),
    messages,
    markers,
    edits,
    isFolded: edits.some(({ changes }) => changes.some(({ kind }) => kind === 'fold')),
    time,
    lifetime,
  }
}

type Head = Pick<SentPrefix, 'tools' | 'system'>
const heads = new WeakMap<Composition, Head>()

function headOf(composition: Composition): Head {
  const known = heads.get(composition)
  if (known) return known
  const { epoch, tools, sections } = composition
  const head = { tools: owned(tools, epoch.tools as readonly object[]), system: owned(sections, epoch.system) }
  heads.set(composition, head)
  return head
}

function owned(names: readonly Named[], content: readonly object[]): OwnedHash[] {
  return content.map((each, index) => {
    const { owner = 'session', name = String(index) } = names[index] ?? {}
    return { hash: hashOf(each), owner, name, content: each }
  })
}
