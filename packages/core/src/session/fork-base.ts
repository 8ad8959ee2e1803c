import type { Timer } from '../async.js'
import { NacreError } from '../errors.js'
import { callsOf } from '../loop/run-call.js'
import type { Composition } from '../prompt/epoch.js'
import { type BlockPlace, erasedIn, placeMarkers, type Ttl, toMessages, toSystem } from '../request/markers.js'
import type { Rendering } from '../request/renderer.js'
import { type RenderedMessage, toJson } from '../request/user-turn.js'
import type { SessionEvent } from '../types/events.js'
import type { Source } from '../types/fork.js'
import type { AssistantEntry, Block, Id, Json, Usage } from '../types/log.js'
import type { BlockPosition, CallFields, Model } from '../types/model.js'
import type { WatchedRequest } from './accounts.js'
import type { Sent } from './requests.js'
import type { Runtime } from './runtime.js'

/** What a fork extends: a request to the byte, and its answer, where it has one. */
export interface ForkBase {
  readonly messages: readonly RenderedMessage[]
  readonly markers: readonly BlockPlace[]
  readonly composition: Composition
  readonly response: readonly Block[]
  readonly extra: { readonly [key: string]: Json }
  readonly erased: readonly BlockPosition[]
  /** The last entry of that request. */
  readonly covers: Id
  readonly prefix: string
  /** What is said in the fork itself is marked, so that its own turns read one another: it extends no conversation. */
  readonly marksOwn?: true
}

type BaseContext = Pick<Runtime, 'compositions' | 'conversation' | 'requests' | 'view'>

/** The last request of a session that was answered; after a resume it is made anew from the log, and is the same. */
export function forkBase({ requests, conversation, compositions, view }: BaseContext): ForkBase {
  const answered = requests.lastAnswered()
  if (answered) return ofSent(answered.sent, answered.entry)
  const { messages } = conversation.rendering()
  const end = messages.findLastIndex(({ role }) => role === 'assistant')
  if (end < 1) throw new NacreError('INVALID_REQUEST', 'Nothing has been answered yet that a fork could extend.')
  const composition = compositions.of(conversation.epoch())
  const sent = messages.slice(0, end)
  const extra = (view().state('core', 'latched') ?? {}) as ForkBase['extra']
  const claims = { previous: undefined, nextCut: undefined, ...endsOf(composition) }
  const response = (messages[end] as RenderedMessage).blocks
  return {
    messages: sent,
    markers: placeMarkers(sent, claims),
    composition,
    response: response.map(({ block }) => block),
    extra,
    erased: erasedIn(sent),
    covers: lastEntry(sent),
    prefix: sent.at(-1)?.chain ?? '',
  }
}

type UpToContext = BaseContext & Pick<Runtime, 'accounts' | 'currentModel' | 'effects'>

/**
 * What stands before an entry, where the cache has an entry that lives and ends there: at the last turn of the user
 * before it, whose answer is the last one. `undefined` where there is none.
 */
export function baseUpTo(context: UpToContext, upTo: Id): ForkBase | undefined {
  const { accounts, conversation, currentModel, effects, requests } = context
  const answered = requests.lastAnswered()
  const { info } = currentModel.model()
  const cached = accounts.own.cached(info.kin?.(info.id).key ?? info.id)
  if (!answered || !cached || answered.sent.model.info.id !== info.id) return undefined
  const { messages } = conversation.rendering()
  const next = messages.findIndex(({ blocks }) => blocks[0]?.ref?.entry === upTo)
  const [last, response] = [messages[next - 2], messages[next - 1]]
  if (last?.role !== 'user' || response?.role !== 'assistant') return undefined
  const { sent, entries } = cached
  const isSame = sent.messages[next - 2]?.chain === last.chain && sent.messages[next - 2]?.position === last.position
  const entry = entries.find(({ message, block }) => message === next - 2 && block === last.blocks.length - 1)
  if (!isSame || !entry || effects.now() - entry.time >= sent.lifetime) return undefined
  const base = ofSent(answered.sent, answered.entry)
  const before = messages.slice(0, next - 1)
  const place: BlockPlace = { level: 'message', message: entry.message, block: entry.block }
  return {
    ...base,
    messages: before,
    markers: [place, ...base.markers.filter(({ level }) => level === 'system')],
    response: response.blocks.map(({ block }) => block),
    erased: erasedIn(before),
    covers: lastEntry(before),
    prefix: last.chain,
  }
}

/** The request that would be sent next. Marked only where the last one was and nothing has changed: nothing is written for a fork. */
export function viewBase(context: BaseContext): ForkBase {
  const { conversation, compositions, view } = context
  const { messages: all, prefix } = conversation.rendering()
  // A person can not speak right behind the runtime; what it said last has not been sent yet.
  const messages = all.slice(0, all.findLastIndex(({ role }) => role !== 'system') + 1)
  if (messages.length === 0)
    throw new NacreError('INVALID_REQUEST', 'Nothing has been said yet that a fork could extend.')
  const last = messages.some(({ role }) => role === 'assistant') ? forkBase(context) : undefined
  const isSame = (place: BlockPlace) =>
    place.level === 'system' || last?.messages[place.message]?.chain === messages[place.message]?.chain
  return {
    messages,
    markers: last?.markers.filter(isSame) ?? [],
    composition: compositions.of(conversation.epoch()),
    response: [],
    extra: last?.extra ?? ((view().state('core', 'latched') ?? {}) as ForkBase['extra']),
    erased: erasedIn(messages),
    covers: lastEntry(messages),
    prefix,
  }
}

/** The system prompt and the tools in force, and nothing that was said. */
export function promptBase({ conversation, compositions, view }: BaseContext): ForkBase {
  const composition = compositions.of(conversation.epoch())
  return {
    messages: [],
    markers: [],
    composition,
    response: [],
    extra: (view().state('core', 'latched') ?? {}) as ForkBase['extra'],
    erased: [],
    covers: '',
    prefix: '',
    marksOwn: true,
  }
}

function ofSent({ messages, markers, composition, request }: Sent, entry: AssistantEntry): ForkBase {
  return {
    messages,
    markers,
    composition,
    response: entry.content,
    extra: request.fields.extra ?? {},
    erased: request.erased ?? [],
    covers: lastEntry(messages),
    prefix: request.prefix,
  }
}

function lastOf({ sections }: Composition): number | undefined {
  return sections.length > 0 ? sections.length - 1 : undefined
}

/** Where the sections end, as every request of the conversation marks them. */
function endsOf(composition: Composition) {
  const end = composition.sections.findLastIndex(({ scope }) => scope === 'static')
  return { sessionEnd: lastOf(composition), staticEnd: end === -1 ? undefined : end }
}

function lastEntry(messages: readonly RenderedMessage[]): Id {
  for (const { blocks } of messages.toReversed()) {
    const found = blocks.findLast(({ ref }) => ref !== undefined)?.ref
    if (found) return found.entry
  }
  return ''
}

export const PLACEHOLDER = 'This call is still running in the conversation; its result is not known here.'
/** What a fork says itself is not read for longer, where it is marked at all. */
const OWN_TTL = '5m'

/**
 * The request that a fork extends, its answer, and what was said in the fork. The markers of that request are repeated
 * with their lifetime, to the byte; what is added is never read again, so it has none.
 */
export function forkRequest(
  base: ForkBase,
  own: Rendering,
  source: string,
  { model, fields, ttl }: ForkCall,
): WatchedRequest {
  const { epoch } = base.composition
  const claims = { previous: undefined, nextCut: undefined, sessionEnd: lastOf(base.composition), staticEnd: undefined }
  const marked = base.marksOwn ? placeMarkers(own.messages, claims) : []
  const [first, ...rest] = toMessages(own.messages, marked, OWN_TTL) as { role: string; content: Json[] }[]
  const request = {
    model: model.info.id,
    epoch: { system: toSystem(epoch.system, base.marksOwn ? marked : base.markers, ttl), tools: epoch.tools },
    messages: [
      ...toMessages(base.messages, base.markers, ttl),
      ...(base.response.length > 0 ? toJson([{ role: 'assistant', content: base.response }]) : []),
      ...(first ? [{ ...first, content: [...placeholders(base.response), ...first.content] }] : []),
      ...rest,
    ],
    fields: { ...fields, extra: { ...fields.extra, ...base.extra, source } },
    prefix: own.prefix,
    erased: base.erased,
  }
  const said = base.marksOwn ? { messages: own.messages, markers: marked } : base
  return { request, model, messages: said.messages, markers: said.markers, composition: base.composition }
}

/** How a fork asks: by which model, with which fields, and for how long the markers of its session live. */
interface ForkCall {
  readonly model: Model
  readonly fields: CallFields
  readonly ttl: Ttl
}

function placeholders(response: readonly Block[]): Json[] {
  return callsOf(response).map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text: PLACEHOLDER }],
  }))
}

/** Takes account of what was asked beside the conversation: in the costs, for whoever listens, and in `spent`. */
export function bill({ accounts, emit }: Pick<Runtime, 'accounts' | 'emit'>, source: Source, spent: Usage[]) {
  return (usage: Usage, model: string): void => {
    spent.push(usage)
    accounts.add(source, usage, model)
    emit({ type: 'usage', source, usage })
  }
}

const KEEP_ALIVE = 30_000
const STEP = 1_000

export interface Progress {
  heard(block: Block): void
  stop(): void
}

/**
 * Tells that an answer beside the conversation is waited for, how much of it has come so far, every half minute that it
 * is still waited for, and the end of it.
 */
export function watchProgress(source: Source, emit: (event: SessionEvent) => void, timer: Timer): Progress {
  let characters = 0
  let told = 0
  let stopWaiting: () => void
  const tell = () => {
    told = characters
    emit({ type: 'fork-progress', source, characters })
  }
  const wait = () => {
    stopWaiting = timer(KEEP_ALIVE, () => {
      tell()
      wait()
    })
  }
  tell()
  wait()
  return {
    heard({ text, thinking }) {
      characters += String(text ?? thinking ?? '').length
      if (characters - told >= STEP) tell()
    },
    stop() {
      stopWaiting()
      emit({ type: 'fork-end', source })
    },
  }
}
