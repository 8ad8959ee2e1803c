import { hashOf } from '../hash.js'
import type { BlockPlace } from '../request/markers.js'
import { MODEL, PERSON, type RenderedBlock, type RenderedMessage } from '../request/user-turn.js'
import type { Divergence } from '../types/events.js'
import type { BlockPosition } from '../types/model.js'

/** A piece of the prefix, by hash, with the plugin it comes from. */
export interface OwnedHash {
  readonly hash: string
  readonly owner: string
  readonly name: string
  /** The block itself, to be shown to people who look for a difference. */
  readonly content?: unknown
}

/** An accepted edit, as far as it can be to blame. An entry of the log is one. */
interface SentEdit {
  readonly owner: string
  readonly reason: string
  readonly price?: { readonly breaksAt: number | null }
}

/** What was sent, as far as the cache is concerned. */
export interface SentPrefix {
  /** Its key: names of one model share a cache. */
  readonly model: string
  /** Below it nothing is cached. */
  readonly cacheMinimum: number
  /** Thinking, effort, tool choice, betas: what is no block and still part of the key. */
  readonly settings: string
  readonly tools: readonly OwnedHash[]
  readonly system: readonly OwnedHash[]
  readonly messages: readonly RenderedMessage[]
  readonly markers: readonly BlockPlace[]
  /** Accepted since the last request of this source. */
  readonly edits: readonly SentEdit[]
  /** Whether a fold is among them: it makes another beginning, and nobody is to blame for that. */
  readonly isFolded: boolean
  /** When the request began, and how many milliseconds its markers live. */
  readonly time: number
  readonly lifetime: number
}

export type { Divergence } from '../types/events.js'

/**
 * What the second request has otherwise; `undefined` when it goes on from the first, or from some point of it (a
 * rewind), or begins anew with a fold.
 */
export function findDivergence(before: SentPrefix, after: SentPrefix): Divergence | undefined {
  if (after.isFolded) return undefined
  if (before.model !== after.model) {
    return { cause: 'model', owner: 'user', what: `model ${before.model} became ${after.model}` }
  }
  return (
    findOther('tools', before.tools, after.tools) ??
    findOther('system', before.system, after.system) ??
    (before.settings === after.settings ? undefined : SETTINGS) ??
    findEdit(before, after)
  )
}

const SETTINGS: Divergence = { cause: 'settings', owner: 'user', what: 'settings changed' }
const KINDS = { tools: 'tool', system: 'section' } as const

/** The first tool or section that is not what it was: one that is new or gone moves all behind it. */
function findOther(
  cause: keyof typeof KINDS,
  before: readonly OwnedHash[],
  after: readonly OwnedHash[],
): Divergence | undefined {
  const length = Math.max(before.length, after.length)
  for (let index = 0; index < length; index++) {
    const [old, now] = [before[index], after[index]]
    if (old?.hash === now?.hash) continue
    const { piece, change } = compare(old, now, before, after)
    return { cause, owner: piece.owner, what: `${KINDS[cause]} ${piece.name} ${change}` }
  }
  return undefined
}

function compare(
  old: OwnedHash | undefined,
  now: OwnedHash | undefined,
  before: readonly OwnedHash[],
  after: readonly OwnedHash[],
): { readonly piece: OwnedHash; readonly change: string } {
  if (old && !after.some(({ name }) => name === old.name)) return { piece: old, change: 'removed' }
  const piece = (now ?? old) as OwnedHash
  if (piece.name === old?.name) return { piece, change: 'changed' }
  return { piece, change: before.some(({ name }) => name === piece.name) ? 'moved' : 'added' }
}

type Messages = readonly RenderedMessage[]

/** The first block that an edit changed or took out between two requests; a rewind is none. */
function findEdit(before: SentPrefix, after: SentPrefix): Divergence | undefined {
  const place = firstDifference(before.messages, after.messages)
  if (!place || isRewound(before.messages, after.messages, place)) return undefined
  const old = before.messages[place.message]?.blocks[place.block]
  const now = after.messages[place.message]?.blocks[place.block]
  const isTakenOut = !now || (!isSameRef(old, now) && isBehind(before.messages, place, now))
  const { owner, reason } = blame(isTakenOut ? undefined : now, old, after.edits)
  const type = old?.block.type ?? now?.block.type
  const what = `message ${place.message}, block ${place.block}${type === undefined ? '' : ` (${type})`}`
  return { cause: 'edit', owner, what, place, ...(reason !== undefined && { reason }) }
}

/** After a rewind the last words of the earlier conversation are gone; an edit leaves them, or only took notes away. */
function isRewound(before: Messages, after: Messages, from: BlockPosition): boolean {
  const last = lastEntry(before, from)
  return last !== undefined && !blocksFrom(after, from).some(({ ref }) => ref?.entry === last)
}

function lastEntry(messages: Messages, from: BlockPosition): string | undefined {
  return blocksFrom(messages, from).findLast(({ ref }) => ref !== undefined)?.ref?.entry
}

function blocksFrom(messages: Messages, { message, block }: BlockPosition): RenderedBlock[] {
  return messages
    .slice(message)
    .flatMap(({ blocks }, index) => (index === 0 ? blocks.slice(block) : blocks)) as RenderedBlock[]
}

function isSameRef(one: RenderedBlock | undefined, other: RenderedBlock): boolean {
  return other.ref !== undefined && one?.ref?.entry === other.ref.entry && one.ref.block === other.ref.block
}

/** Whether a block only moved up because others before it are gone. */
function isBehind(messages: Messages, from: BlockPosition, { block }: RenderedBlock): boolean {
  const hash = hashOf(block)
  return blocksFrom(messages, from).some((each) => hashOf(each.block) === hash)
}

/** The plugin whose block is there now; else the edit that reaches furthest back; else the plugin whose block was there. */
function blame(
  now: RenderedBlock | undefined,
  old: RenderedBlock | undefined,
  edits: readonly SentEdit[],
): { readonly owner: string; readonly reason: string | undefined } {
  if (isPlugins(now)) return { owner: now.owner, reason: earliest(edits, now.owner)?.reason }
  const edit = earliest(edits)
  if (edit) return edit
  return { owner: isPlugins(old) ? old.owner : 'core', reason: undefined }
}

function isPlugins(block: RenderedBlock | undefined): block is RenderedBlock {
  return block !== undefined && block.owner !== PERSON && block.owner !== MODEL
}

function earliest(edits: readonly SentEdit[], owner?: string): SentEdit | undefined {
  const reach = ({ price }: SentEdit) => price?.breaksAt ?? Number.POSITIVE_INFINITY
  return edits
    .filter((edit) => owner === undefined || edit.owner === owner)
    .reduce<SentEdit | undefined>((best, edit) => (best && reach(best) <= reach(edit) ? best : edit), undefined)
}

const START: BlockPosition = { message: 0, block: 0 }

/** The first block of the earlier request that no cache has for both; `undefined` when the later one goes on from all of it. */
export function sharedEnd(before: SentPrefix, after: SentPrefix): BlockPosition | undefined {
  const isSameHead =
    before.model === after.model &&
    before.settings === after.settings &&
    hashesOf(before.tools) === hashesOf(after.tools) &&
    hashesOf(before.system) === hashesOf(after.system)
  return isSameHead ? firstDifference(before.messages, after.messages) : START
}

function hashesOf(pieces: readonly OwnedHash[]): string {
  return pieces.map(({ hash }) => hash).join()
}

/**
 * The first block of the earlier conversation that the later one does not have at its place; `undefined` when the later
 * one only goes on. Both have the same system and tools. Chains are cumulative: where they are the same all before is,
 * so halving finds the place.
 */
export function firstDifference(
  before: readonly RenderedMessage[],
  after: readonly RenderedMessage[],
): BlockPosition | undefined {
  const message = firstOtherMessage(before, after)
  const old = before[message]
  if (!old) return undefined
  const now = after[message]
  if (!now || now.role !== old.role) return { message, block: 0 }
  const block = old.blocks.findIndex((each, index) => !isSame(each, now.blocks[index]))
  if (block !== -1) return { message, block }
  // All of it is there, and more behind it: no difference in the last message, which was still open.
  return message === before.length - 1 ? undefined : { message, block: old.blocks.length }
}

function firstOtherMessage(before: readonly RenderedMessage[], after: readonly RenderedMessage[]): number {
  let high = Math.min(before.length, after.length)
  let low = 0
  // Nearly always all is the same.
  if (high > 0 && isSameUpTo(before, after, high - 1)) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isSameUpTo(before, after, middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** A signed summary takes the chain of what it stands for: the number of blocks tells the two apart. What is left out weighs less. */
function isSameUpTo(before: readonly RenderedMessage[], after: readonly RenderedMessage[], index: number): boolean {
  const [old, now] = [before[index], after[index]]
  return old === now || (old?.chain === now?.chain && old?.position === now?.position && old?.tokens === now?.tokens)
}

/** The words of a block are the same where the server leaves it out; its weight is not. */
function isSame(one: RenderedBlock, other: RenderedBlock | undefined): boolean {
  if (one.block === other?.block) return one.weight === other.weight
  return other !== undefined && one.weight === other.weight && hashOf(one.block) === hashOf(other.block)
}
