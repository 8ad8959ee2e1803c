import type { BlockLike, ChangeLike, EntryLike } from './types.js'

const NOWHERE = Number.POSITIVE_INFINITY

/**
 * The first item of a request that an edit may change; infinite when it only concerns what was not sent yet. What
 * stood there is known by its content, or by the content that an earlier edit has put in its place.
 */
export function editPlace(edit: EntryLike, sent: SentRequest): number {
  return Math.min(NOWHERE, ...(edit.changes ?? []).map((change) => changePlace(change, sent)))
}

/** A request, the log as it was then, and the edits of the whole log. */
interface SentRequest {
  readonly items: readonly Item[]
  readonly log: readonly EntryLike[]
  readonly edits: readonly EntryLike[]
}

function changePlace(change: ChangeLike, sent: SentRequest): number {
  const { items, log, edits } = sent
  // System and tools are made anew: only the fields before them are to stay.
  if (change.epoch !== undefined) return 1
  if (change.kind === 'revert') {
    const reverted = edits.find(({ id }) => id === change.edit)
    return reverted ? editPlace(reverted, sent) : 0
  }
  const inside = typeof change.note === 'object' ? change.note.inside : undefined
  const target = change.target ?? inside
  const id = target?.entry ?? change.span?.from
  if (id === undefined) return NOWHERE
  const entry = log.find((each) => each.id === id)
  // An entry that came after the request was not in it.
  if (!entry) return NOWHERE
  const block = target && entry.content?.[target.block]
  return found(items, block ? [block] : []) ?? found(items, standIns(entry, log)) ?? 0
}

/** The blocks of an entry, and all that edits have shown in place of them or of a span that begins with it. */
function standIns(entry: EntryLike, log: readonly EntryLike[]): readonly BlockLike[] {
  const shown = log.flatMap(({ changes = [] }) =>
    changes.flatMap(({ target, span, content, note }) => {
      if (target?.entry !== entry.id && span?.from !== entry.id) return []
      return [...(content ?? []), ...(typeof note === 'string' ? [{ type: 'text', text: note }] : [])]
    }),
  )
  return [...(entry.content ?? []), ...shown]
}

function found(items: readonly Item[], blocks: readonly BlockLike[]): number | undefined {
  const places = blocks.map((block) =>
    items.findIndex((item) => item.level === 'messages' && isSame(item.block, block)),
  )
  const seen = places.filter((place) => place >= 0)
  return seen.length > 0 ? Math.min(...seen) : undefined
}

/** Calls and results are the same when their ids are: an edit may have changed the rest. */
function isSame(one: BlockLike, other: BlockLike): boolean {
  if (one.type !== other.type) return false
  if (one.type === 'tool_use') return one.id === other.id
  if (one.type === 'tool_result') return one.tool_use_id === other.tool_use_id
  if (one.type === 'text') return String(one.text).includes(String(other.text))
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A piece of a request in the order in which a prompt cache reads it, without the marks that move. */
export interface Item {
  readonly level: 'fields' | 'tools' | 'system' | 'messages'
  readonly role: string
  readonly text: string
  readonly block: BlockLike
}

interface Body {
  readonly tools?: readonly BlockLike[]
  readonly system?: string | readonly BlockLike[]
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly BlockLike[] }[]
  readonly [field: string]: unknown
}

/** Fields that are part of the cache's key without being blocks. */
const KEYS = ['model', 'thinking', 'tool_choice', 'output_config', 'speed']

const known = new WeakMap<object, readonly Item[]>()

/** Takes a request apart, once for all checks. */
export function itemsOf(request: { readonly body: string }): readonly Item[] {
  const items = known.get(request) ?? takeApart(request.body)
  known.set(request, items)
  return items
}

function takeApart(body: string): readonly Item[] {
  const request = JSON.parse(body) as Body
  const fields = Object.fromEntries(KEYS.map((key) => [key, request[key]]))
  return [
    item('fields', '', { type: 'fields', ...fields }),
    ...(request.tools ?? []).map((tool) => item('tools', '', tool)),
    ...blocksOf(request.system ?? []).map((block) => item('system', '', block)),
    ...(request.messages ?? []).flatMap(({ role, content }) =>
      blocksOf(content).map((block) => item('messages', role, block)),
    ),
  ]
}

function item(level: Item['level'], role: string, { cache_control: _, ...rest }: BlockLike): Item {
  const block = rest as BlockLike
  return { level, role, block, text: `${role || level}: ${JSON.stringify(block)}` }
}

function blocksOf(content: string | readonly BlockLike[]): readonly BlockLike[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
