import { type Conversation, createConversation } from '../conversation/conversation.js'
import { contextTokens, createView, shifted } from '../conversation/view.js'
import { NacreError } from '../errors.js'
import type { ReadLog } from '../log/checkpoint.js'
import { coreState, coreStateIn } from '../log/timeline.js'
import { type Composition, type Compositions, createCompositions } from '../prompt/epoch.js'
import type { Ttl } from '../request/markers.js'
import { createTokenWatch, type TokenWatch, type TokenWatchState } from '../tokens/calibration.js'
import type { Spent } from '../tokens/cost.js'
import { estimateEpoch } from '../tokens/estimate.js'
import type { Entry, Id, NoticeEntry, StateEntry } from '../types/log.js'
import type { SessionStore } from '../types/store.js'
import type { View } from '../types/view.js'
import { type Accounts, type AccountsContext, createAccounts } from './accounts.js'
import { type CurrentModel, tokenFactor } from './current-model.js'
import type { Opened } from './open-log.js'
import type { Effects } from './types.js'

/** A session's log with all that is worked out from it. */
export interface SessionLog {
  readonly conversation: Conversation
  readonly compositions: Compositions
  readonly accounts: Accounts
  readonly tokens: TokenWatch
  readonly ttl: Ttl
  view(): View
  /** How often the model has answered. */
  responses(): number
  /** The server has counted the view as it is now. */
  counted(tokens: number): void
  /** Tells of every entry that comes in from now on. */
  listen(listener: (entry: Entry) => void): void
}

interface LogContext extends Pick<AccountsContext, 'source' | 'extended' | 'spent'> {
  readonly opened: Opened
  readonly effects: Effects
  readonly currentModel: CurrentModel
  readonly composition: Composition
  readonly ttl: Ttl
}

export function startSessionLog(context: LogContext): SessionLog {
  const { opened, effects, currentModel, composition, ttl } = context
  const compositions = createCompositions()
  compositions.add(composition)
  const accounts = createAccounts(context)
  const listeners: ((entry: Entry) => void)[] = []
  let responses = 0
  /** The size of the view as the server counted it, good until the next response. */
  let counted:
    | { readonly tokens: number; readonly estimate: number; readonly responses: number; readonly fold?: Id }
    | undefined
  const conversation = createConversation({
    store: opened.store,
    rules: currentModel.rules,
    epoch: composition.epoch,
    writePrice: () => currentModel.model().info.price(0)[ttl === '1h' ? 'write1h' : 'write5m'],
    now: effects.now,
    newId: effects.newId,
    sizes: { total: () => view().tokens.total, tokens: (estimate) => tokens.calibration.tokens(estimate) },
    onEntry(entry) {
      for (const listener of listeners) listener(entry)
    },
  })
  const tokens = createTokenWatch((id) => factorOf(id, currentModel), conversation.epoch)
  listeners.push((entry) => {
    tokens.onEntry(entry)
    for (const each of compositionsIn(entry)) compositions.add(each)
    if (entry.kind === 'assistant') responses += 1
  })
  const view = createView({
    conversation,
    transcript: opened.store.transcript,
    tokens: (estimate) => tokens.calibration.tokens(estimate),
    erasing: () => currentModel.rules.erasing,
    measure() {
      const { compact, window, scale } = currentModel.thresholds()
      const { calibration } = tokens
      const measured = sinceCount() ?? contextTokens(conversation, calibration.tokens, currentModel.rules.erasing)
      return { ...measured, threshold: compact.tokens, window: window.tokens, scale, factor: calibration.factor }
    },
  })
  const estimate = () => conversation.rendering().tokens + estimateEpoch(conversation.epoch())
  const sinceCount = () => {
    // A fold at the beginning knows the size that it leaves.
    if (counted?.responses !== responses || counted.fold !== startOf(conversation)) return undefined
    const total = shifted(counted.tokens, estimate() - counted.estimate, tokens.calibration.tokens)
    return { total, estimated: Math.abs(total - counted.tokens) }
  }
  for (const entry of opened.log.entries) {
    conversation.restore(entry)
    accounts.restore(entry)
    // A checkpoint knows what came before it, whether that was read or not.
    const saved = coreStateIn<Saved>(entry, 'checkpoint')
    if (!saved) continue
    accounts.resume(saved.spent)
    tokens.restore(saved.tokens)
    responses = saved.responses
  }
  return {
    conversation,
    compositions,
    accounts,
    tokens,
    ttl,
    view,
    responses: () => responses,
    counted(total) {
      // Another version of the same view: who has asked for its size before asks again.
      conversation.touch()
      const fold = startOf(conversation)
      counted = { tokens: total, estimate: estimate(), responses, ...(fold !== undefined && { fold }) }
    },
    listen: (listener) => listeners.push(listener),
  }
}

/** The edit that the view begins with, where it does not begin with a round. */
function startOf({ projection }: Conversation): Id | undefined {
  return projection.segments[0]?.span?.edit
}

function factorOf(id: string, currentModel: CurrentModel): number {
  const { info } = currentModel.model()
  return info.id === id || id === '' ? tokenFactor(info) : (info.kin?.(id).tokenFactor ?? 1)
}

/** What a checkpoint keeps of a session besides its view. */
export interface Saved {
  /** The first is the one that the session began with. */
  readonly compositions: readonly Composition[]
  readonly spent: Readonly<Record<string, Spent>>
  readonly tokens: TokenWatchState
  readonly responses: number
  readonly ttl: Ttl
}

/** What the log says about its own beginning. */
export function savedIn({ entries, checkpoint }: ReadLog): Partial<Saved> {
  if (checkpoint) return checkpoint as Partial<Saved>
  const first = entries.map(compositionIn).find((composition) => composition !== undefined)
  return first ? { compositions: [first], ttl: first.ttl } : {}
}

/** Compositions that an entry of the log holds. */
function compositionsIn(entry: Entry): readonly Composition[] {
  const own = compositionIn(entry)
  if (own) return [own]
  const value = coreStateIn<Partial<Saved>>(entry, 'checkpoint')
  return value?.compositions ?? []
}

/** The first entry of a session. */
type EpochState = Composition & { readonly ttl: Ttl }

function compositionIn(entry: Entry): EpochState | undefined {
  return coreStateIn<EpochState>(entry, 'epoch')
}

/** Writes down what was spent, unless the log has it: background work may end long after the query that it belongs to. */
export async function keepSpent({ accounts, conversation, view }: SessionLog): Promise<void> {
  const spent = accounts.ledger().state()
  if (JSON.stringify(spent) === JSON.stringify(view().state('core', 'spent') ?? {})) return
  await conversation.append(coreState('spent', spent))
}

/** Gives each plugin the store as it may use it. */
export type PluginStores = (owner: string) => SessionStore

/**
 * A session's store as plugins have it. What they append goes through the conversation, so that the view knows of it, and
 * under their own name: state of core or of another plugin is not theirs to write, nor are messages and edits. It
 * belongs to its session, which closes it.
 */
export function pluginStores(store: SessionStore, conversation: () => Conversation | undefined): PluginStores {
  const { readBack, transcript } = store
  return (owner) => ({
    ...(transcript !== undefined && { transcript }),
    async append(batch) {
      const open = conversation()
      if (!open)
        throw new NacreError('STORE_UNWRITABLE', 'The session has not started yet: write in a hook, not in setup.')
      await open.append(...batch.map((entry) => ({ ...checked(entry), owner })))
    },
    read: (from) => store.read(from),
    ...(readBack && { readBack: () => readBack.call(store) }),
    put: (name, data) => store.put(name, data),
    get: (blob, range) => store.get(blob, range),
    close: async () => undefined,
  })
}

function checked(entry: Entry): StateEntry | NoticeEntry {
  if (entry.kind === 'state' || entry.kind === 'notice') return entry
  throw new NacreError('EDIT_REFUSED', `A plugin can not write '${entry.kind}' entries: propose a draft instead.`)
}
