import { createBreakWatch } from '../cache/breaks.js'
import type { CachedRequest, Prediction } from '../cache/predict.js'
import type { OwnedHash, SentPrefix } from '../cache/prefix.js'
import { hashOf } from '../hash.js'
import { coreStateIn } from '../log/timeline.js'
import type { Composition, Named } from '../prompt/epoch.js'
import type { Ttl } from '../request/markers.js'
import { type CostLedger, createCostLedger, promptTokens, type Spent } from '../tokens/cost.js'
import type { CacheBreak } from '../types/events.js'
import type { Source } from '../types/fork.js'
import type { Edit, Entry, Usage } from '../types/log.js'
import type { Model, ModelEnd } from '../types/model.js'
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
  readonly breaks: CacheBreak[]
  /** The conversation of the session itself. */
  readonly own: CacheWatch
  ledger(): CostLedger
  /** Takes in what somebody asked for beside an answer that is watched: what broke off, and what children spent. */
  add(source: Source, usage: Usage, model: string): void
  /** Takes in what the log says; what is answered now comes by a watch. */
  restore(entry: Entry): void
  resume(spent: Readonly<Record<string, Spent>>): void
  /** Another conversation, such as a fork's. One that extends another is promised what that has cached. */
  watch(source: Source, extended?: Extended): CacheWatch
}

/** Watches what one conversation costs and reads. It has one request under way at a time. */
export interface CacheWatch {
  sent(sent: WatchedRequest, edits: readonly Edit[], time: number): void
  answered(model: Model, end: Pick<ModelEnd, 'usage' | 'billed' | 'deleted'>): FoundBreak | undefined
  /** What the cache has of it. */
  cached(model: string): CachedRequest | undefined
  /** It is over. */
  end(): void
}

/** A conversation that another one goes on from. */
export type Extended = Pick<CacheWatch, 'cached'>

/** As much of a request as decides what it reads. */
export type WatchedRequest = Pick<Sent, 'request' | 'model' | 'messages' | 'markers' | 'composition'>

export interface AccountsContext {
  readonly ttl: Ttl
  /** Whose session it is. */
  readonly source: Source
  /** What its conversation goes on from. */
  readonly extended?: Extended | undefined
  /** Hears of all that is spent: a child's cost is its parent's too. */
  readonly spent?: ((usage: Usage, model: string) => void) | undefined
}

export function createAccounts({ ttl, source: own, extended: base, spent: tell }: AccountsContext): Accounts {
  const breakWatch = createBreakWatch()
  const breaks: CacheBreak[] = []
  let ledger = createCostLedger()
  let conversations = 0
  const resume = (spent: Readonly<Record<string, Spent>>) => {
    ledger = createCostLedger(spent)
  }
  const add = (source: Source, usage: Usage, model: string) => {
    ledger.add(source, usage, model)
    tell?.(usage, model)
  }
  const watch = (source: Source, extended?: Extended): CacheWatch => {
    const key = `${source} ${conversations++}`
    let predicted: { readonly prefix: SentPrefix; readonly prediction: Prediction } | undefined
    return {
      sent(sent, edits, time) {
        const prefix = toPrefix(sent, edits, time, LIFETIMES[ttl])
        const prediction = breakWatch.sent(key, prefix, extended?.cached(prefix.model))
        predicted = prediction && { prefix, prediction }
      },
      answered({ info }, { usage, billed = usage, deleted }) {
        add(source, billed, info.id)
        const found = breakWatch.answered(key, usage, info.price(promptTokens(usage)), deleted)
        if (!found || !predicted) return undefined
        const cacheBreak = { ...found, source }
        breaks.push(cacheBreak)
        return { cacheBreak, before: predicted.prediction.before, after: predicted.prefix }
      },
      cached: (model) => breakWatch.cached(key, model),
      end: () => breakWatch.forget(key),
    }
  }
  return {
    breaks,
    own: watch(own, base),
    ledger: () => ledger,
    add,
    resume,
    restore(entry) {
      if (entry.kind === 'assistant') ledger.add(own, entry.usage, entry.model)
      const spent = coreStateIn<Record<string, Spent>>(entry, 'spent')
      if (spent) resume(spent)
    },
    watch,
  }
}

function toPrefix(sent: WatchedRequest, edits: readonly Edit[], time: number, lifetime: number): SentPrefix {
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
