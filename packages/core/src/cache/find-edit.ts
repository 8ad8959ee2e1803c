import { hashOf } from '../request/canonical.js'
import { MODEL, PERSON, type RenderedBlock, type RenderedMessage } from '../request/rendered.js'
import { firstDifference, type Place } from './first-difference.js'
import type { Divergence, SentEdit, SentPrefix } from './sent-prefix.js'

type Messages = readonly RenderedMessage[]

/** The first block that an edit changed or took out between two requests; a rewind is none. */
export function findEdit(before: SentPrefix, after: SentPrefix): Divergence | undefined {
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
function isRewound(before: Messages, after: Messages, from: Place): boolean {
  const last = lastEntry(before, from)
  return last !== undefined && !blocksFrom(after, from).some(({ ref }) => ref?.entry === last)
}

function lastEntry(messages: Messages, from: Place): string | undefined {
  return blocksFrom(messages, from).findLast(({ ref }) => ref !== undefined)?.ref?.entry
}

function blocksFrom(messages: Messages, { message, block }: Place): RenderedBlock[] {
  return messages
    .slice(message)
    .flatMap(({ blocks }, index) => (index === 0 ? blocks.slice(block) : blocks)) as RenderedBlock[]
}

function isSameRef(one: RenderedBlock | undefined, other: RenderedBlock): boolean {
  return other.ref !== undefined && one?.ref?.entry === other.ref.entry && one.ref.block === other.ref.block
}

/** Whether a block only moved up because others before it are gone. */
function isBehind(messages: Messages, from: Place, { block }: RenderedBlock): boolean {
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
