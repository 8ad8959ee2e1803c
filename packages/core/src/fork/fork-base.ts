import type { BlockAt } from '../contract/model.js'
import type { AssistantEntry, Block, Id, Json } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import type { Composition } from '../prompt/compose-epoch.js'
import { erasedIn } from '../request/erased-in.js'
import { type BlockPlace, placeMarkers } from '../request/markers.js'
import type { RenderedMessage } from '../request/rendered.js'
import type { Sent } from '../session/requests.js'
import type { Runtime } from '../session/runtime.js'

/** What a fork extends: a request to the byte, and its answer, where it has one. */
export interface ForkBase {
  readonly messages: readonly RenderedMessage[]
  readonly markers: readonly BlockPlace[]
  readonly composition: Composition
  readonly response: readonly Block[]
  readonly extra: { readonly [key: string]: Json }
  readonly erased: readonly BlockAt[]
  /** The last entry of that request. */
  readonly covers: Id
  readonly prefix: string
}

/** The last request of a session that was answered; after a resume it is made anew from the log, and is the same. */
export function forkBase({ status, conversation, compositions, view }: Runtime): ForkBase {
  if (status.answered) return ofSent(status.answered.sent, status.answered.entry)
  const { messages } = conversation.rendering()
  const end = messages.findLastIndex(({ role }) => role === 'assistant')
  if (end < 1) throw new NacreError('INVALID_REQUEST', 'Nothing has been answered yet that a fork could extend.')
  const composition = compositions.of(conversation.epoch())
  const sent = messages.slice(0, end)
  const extra = (view().state('core', 'latched') ?? {}) as ForkBase['extra']
  const claims = { previous: undefined, standing: undefined, sessionEnd: lastOf(composition), staticEnd: undefined }
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

/** The request that would be sent next. Marked only where the last one was and nothing has changed: nothing is written for a fork. */
export function viewBase(runtime: Runtime): ForkBase {
  const { conversation, compositions, view } = runtime
  const { messages: all, prefix } = conversation.rendering()
  // A person can not speak right behind the runtime; what it said last has not been sent yet.
  const messages = all.slice(0, all.findLastIndex(({ role }) => role !== 'system') + 1)
  if (messages.length === 0)
    throw new NacreError('INVALID_REQUEST', 'Nothing has been said yet that a fork could extend.')
  const last = messages.some(({ role }) => role === 'assistant') ? forkBase(runtime) : undefined
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

function lastEntry(messages: readonly RenderedMessage[]): Id {
  for (const { blocks } of messages.toReversed()) {
    const found = blocks.findLast(({ ref }) => ref !== undefined)?.ref
    if (found) return found.entry
  }
  return ''
}
