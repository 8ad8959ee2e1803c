import type { Block, Id, Json } from '../types/log.js'
import type { BlockPosition } from '../types/model.js'
import { type RenderedMessage, type SentMessage, toJson } from './user-turn.js'

export type Ttl = '5m' | '1h'

/** Lifetimes of what is marked. Behind markers of 5 minutes there are none of an hour: the API refuses that order. */
interface Ttls {
  readonly system: Ttl
  readonly messages: Ttl
}

/** A block of the request by its place: a system block, or a block of a message. */
export type BlockPlace =
  | { readonly level: 'system'; readonly block: number }
  | { readonly level: 'message'; readonly message: number; readonly block: number }

type MessagePlace = Extract<BlockPlace, { readonly level: 'message' }>

const MAX_MARKERS = 4
/** How far the server looks back from a marker, itself included. */
export const LOOKBACK = 20
/** The API takes no marker on these. */
const UNMARKABLE: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'fallback',
  'mcp_tool_listing',
  'cache_edits',
])

export interface MarkerClaims {
  /** Where what is worth keeping ends; at the end of all unless told. */
  readonly last?: BlockPlace | undefined
  /** The last marker of the request before this one: claimed when so much came behind it that the server would not find it. */
  readonly previous: BlockPlace | undefined
  /** The block before the first one that the next clear or fold would change: a live entry waits there. */
  readonly nextCut: BlockPlace | undefined
  /** The last blocks of the session sections and of the static ones. */
  readonly sessionEnd: number | undefined
  readonly staticEnd: number | undefined
}

/** Where the markers of a request go, in the order of their claims; what finds no place is left out. */
export function placeMarkers(messages: readonly RenderedMessage[], claims: MarkerClaims): BlockPlace[] {
  const last = claims.last ?? markableAt(messages, { level: 'message', message: messages.length, block: 0 })
  const previous = claims.previous && markableAt(messages, claims.previous)
  const wanted = [
    last,
    isOutOfReach(messages, previous, last) ? previous : undefined,
    claims.nextCut && markableAt(messages, claims.nextCut),
    systemPlace(claims.sessionEnd),
    systemPlace(claims.staticEnd),
  ]
  const placed = new Map<string, BlockPlace>()
  for (const place of wanted) {
    if (place && placed.size < MAX_MARKERS) placed.set(keyOf(place), place)
  }
  return [...placed.values()]
}

/** How many blocks of messages stand before that one. */
export function positionOf(messages: readonly RenderedMessage[], { message, block }: MessagePlace): number {
  const { position = 0, blocks = [] } = messages[message] ?? {}
  return position - blocks.length + block
}

function keyOf(place: BlockPlace): string {
  return place.level === 'system' ? `${place.block}` : `${place.message}/${place.block}`
}

function systemPlace(block: number | undefined): BlockPlace | undefined {
  return block === undefined ? undefined : { level: 'system', block }
}

function isOutOfReach(
  messages: readonly RenderedMessage[],
  previous: BlockPlace | undefined,
  last: BlockPlace | undefined,
): boolean {
  if (previous?.level !== 'message' || last?.level !== 'message') return previous !== undefined
  return positionOf(messages, last) - positionOf(messages, previous) >= LOOKBACK
}

/** That block, or the nearest before it that can carry a marker. */
function markableAt(messages: readonly RenderedMessage[], place: BlockPlace): BlockPlace | undefined {
  if (place.level === 'system') return place
  for (let message = Math.min(place.message, messages.length - 1); message >= 0; message--) {
    const { role, blocks } = messages[message] as RenderedMessage
    // Nobody has said whether a message of the system role may carry a marker, so none does.
    if (role === 'system') continue
    const start = message === place.message ? Math.min(place.block, blocks.length - 1) : blocks.length - 1
    for (let block = start; block >= 0; block--) {
      if (isMarkable(blocks[block]?.block)) return { level: 'message', message, block }
    }
  }
  return undefined
}

function isMarkable(block: Block | undefined): boolean {
  if (!block || UNMARKABLE.has(block.type)) return false
  return block.type !== 'text' || /\S/.test(String(block.text))
}

/** Messages as they are sent. Only those with a marker are made anew. */
export function toMessages(
  messages: readonly RenderedMessage[],
  places: readonly BlockPlace[],
  ttl: Ttl | Ttls,
): Json[] {
  const sent = messages.map(toPlain)
  for (const place of places) {
    if (place.level !== 'message') continue
    const { role, content } = sent[place.message] ?? {}
    const block = content?.[place.block]
    if (role === undefined || content === undefined || block === undefined) continue
    sent[place.message] = { role, content: content.with(place.block, marked(block, messageTtl(ttl))) }
  }
  return toJson(sent)
}

function toPlain(message: RenderedMessage): SentMessage {
  message.sent ??= { role: message.role, content: message.blocks.map(({ block }) => block) }
  return message.sent
}

/** System blocks as they are sent. An empty one stays unmarked, whatever was claimed. */
export function toSystem(system: readonly Block[], places: readonly BlockPlace[], ttl: Ttl | Ttls): Block[] {
  const ends = new Set(places.flatMap((place) => (place.level === 'system' ? [place.block] : [])))
  const lifetime = typeof ttl === 'string' ? ttl : ttl.system
  return system.map((block, index) => (ends.has(index) && isMarkable(block) ? marked(block, lifetime) : block))
}

function messageTtl(ttl: Ttl | Ttls): Ttl {
  if (typeof ttl === 'string') return ttl
  return ttl.system === '5m' ? '5m' : ttl.messages
}

function marked(block: Block, ttl: Ttl): Block {
  const control = ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }
  return { ...block, cache_control: control }
}

/** The block of an entry, or the nearest before it that can carry a marker. */
export function placeAt(messages: readonly RenderedMessage[], entry: Id): BlockPlace | undefined {
  const message = findMessage(messages, entry)
  if (message === -1) return undefined
  const block = (messages[message] as RenderedMessage).blocks.findLastIndex(({ ref }) => ref?.entry === entry)
  return markableAt(messages, { level: 'message', message, block })
}

/** The last block that can carry a marker before the first block of that entry. */
export function placeBefore(messages: readonly RenderedMessage[], entry: Id): BlockPlace | undefined {
  const message = findMessage(messages, entry)
  if (message === -1) return undefined
  const block = (messages[message] as RenderedMessage).blocks.findIndex(({ ref }) => ref?.entry === entry)
  return markableAt(messages, { level: 'message', message, block: block - 1 })
}

/** Where an entry was found last in a conversation, by its first message: what is asked for moves on with the turns. */
const found = new WeakMap<RenderedMessage, number>()

/** An entry's blocks all stand in one message. The search goes on where the last one ended, so that it costs what came since. */
function findMessage(messages: readonly RenderedMessage[], entry: Id): number {
  const first = messages[0]
  if (!first) return -1
  const start = Math.min(found.get(first) ?? 0, messages.length)
  for (let step = 0; step < messages.length; step++) {
    const index = (start + step) % messages.length
    if (!messages[index]?.blocks.some(({ ref }) => ref?.entry === entry)) continue
    found.set(first, index)
    return index
  }
  return -1
}

/** The blocks that the server is told to leave out. Deletions among the messages speak for themselves. */
export function erasedIn(messages: readonly RenderedMessage[]): BlockPosition[] {
  return messages.flatMap(({ blocks }, message) =>
    blocks.flatMap(({ weight, ref }, block) => (weight !== undefined && ref ? [{ message, block }] : [])),
  )
}

/** Reads `messages.N.content.M`, on its own or at the beginning of an error's text. */
export function blockPath(text: string): BlockPosition | undefined {
  const found = /\bmessages\.(\d+)\.content\.(\d+)/.exec(text)
  return found ? { message: Number(found[1]), block: Number(found[2]) } : undefined
}
