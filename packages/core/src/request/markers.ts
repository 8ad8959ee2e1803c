import type { Block, Json } from '../log/entry.js'
import type { RenderedMessage } from './rendered.js'
import { isThinking } from './renderer.js'

export type Ttl = '5m' | '1h'

/** A block of the request by its place: a system block, or a block of a message. */
export type BlockPlace =
  | { readonly level: 'system'; readonly block: number }
  | { readonly level: 'message'; readonly message: number; readonly block: number }

const MAX_MARKERS = 4
/** How far the server looks back from a marker, itself included. */
export const LOOKBACK = 20

export interface MarkerClaims {
  /** The end of the conversation before this turn: claimed when the turn adds so much that the server would not find it. */
  readonly previous: BlockPlace | undefined
  readonly addedBlocks: number
  /** The block before the first one that the next clear or fold would change: a live entry waits there. */
  readonly standing: BlockPlace | undefined
  /** The last blocks of the session sections and of the static ones. */
  readonly sessionEnd: number | undefined
  readonly staticEnd: number | undefined
}

/** Where the markers of a request go, in the order of their claims; what finds no place is left out. */
export function placeMarkers(messages: readonly RenderedMessage[], claims: MarkerClaims): BlockPlace[] {
  const wanted = [
    lastMarkable(messages),
    claims.addedBlocks >= LOOKBACK ? claims.previous : undefined,
    claims.standing && markableAt(messages, claims.standing),
    systemPlace(claims.sessionEnd),
    systemPlace(claims.staticEnd),
  ]
  const placed = new Map<string, BlockPlace>()
  for (const place of wanted) {
    if (place && placed.size < MAX_MARKERS) placed.set(JSON.stringify(place), place)
  }
  return [...placed.values()]
}

function systemPlace(block: number | undefined): BlockPlace | undefined {
  return block === undefined ? undefined : { level: 'system', block }
}

function lastMarkable(messages: readonly RenderedMessage[]): BlockPlace | undefined {
  const message = messages.length - 1
  const block = (messages[message]?.blocks.length ?? 0) - 1
  return markableAt(messages, { level: 'message', message, block })
}

/** That block, or the nearest before it that can carry a marker: thinking and empty text can't. */
function markableAt(messages: readonly RenderedMessage[], place: BlockPlace): BlockPlace | undefined {
  if (place.level === 'system') return place
  for (let message = place.message; message >= 0; message--) {
    const blocks = messages[message]?.blocks ?? []
    const start = message === place.message ? place.block : blocks.length - 1
    for (let block = start; block >= 0; block--) {
      if (isMarkable(blocks[block]?.block)) return { level: 'message', message, block }
    }
  }
  return undefined
}

function isMarkable(block: Block | undefined): boolean {
  if (!block || isThinking(block)) return false
  return block.type !== 'text' || block.text !== ''
}

const plain = new WeakMap<RenderedMessage, Json>()

/** Messages as they are sent. Only those with a marker are made anew. */
export function toMessages(messages: readonly RenderedMessage[], places: readonly BlockPlace[], ttl: Ttl): Json[] {
  const sent = messages.map((message) => {
    const known = plain.get(message)
    if (known !== undefined) return known
    const json = { role: message.role, content: message.blocks.map(({ block }) => block as unknown as Json) }
    plain.set(message, json)
    return json
  }) as { role: string; content: Json[] }[]
  for (const place of places) {
    const message = place.level === 'message' ? sent[place.message] : undefined
    if (place.level !== 'message' || !message) continue
    const content = message.content.with(place.block, marked(message.content[place.block] as Json, ttl))
    sent[place.message] = { ...message, content }
  }
  return sent
}

export function toSystem(system: readonly Block[], places: readonly BlockPlace[], ttl: Ttl): Json[] {
  const ends = new Set(places.flatMap((place) => (place.level === 'system' ? [place.block] : [])))
  return system.map((block, index) =>
    ends.has(index) ? marked(block as unknown as Json, ttl) : (block as unknown as Json),
  )
}

function marked(block: Json, ttl: Ttl): Json {
  const control = ttl === '5m' ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }
  return { ...(block as { [key: string]: Json }), cache_control: control }
}
