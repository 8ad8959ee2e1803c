import type { Place, Timeline } from '../log/timeline.js'
import type { Erasing, Rendering } from '../request/renderer.js'
import { promptTokens } from '../tokens/cost.js'
import { estimateBlock, estimateEpoch, estimateText, signedTokens, USER_TURN_TOKENS } from '../tokens/estimate.js'
import type { AssistantEntry, Block, BlockRef, Change, Edit, Id, Json, StateEntry } from '../types/log.js'
import type { Round, View, ViewTokens } from '../types/view.js'
import { isPinned, pinnedAreas, pinnedEdits } from '../view/pinned.js'
import { isRewound, type Projection, type Rewound, rewindsOf } from '../view/projection.js'
import { refKey, type Segment, segmentOf } from '../view/segment.js'
import type { Conversation } from './conversation.js'

interface ViewContext {
  readonly conversation: Conversation
  /** The path of the log, where it is a file. */
  readonly transcript?: string | undefined
  /** The size of the whole; asked once for each version. */
  measure(): ViewTokens
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
  /** How the model that is asked leaves out what is erased; it does not unless told. */
  erasing?(): Erasing | undefined
}

/** Gives the view as it stands: the same object until something changes, and no work for what nobody asks. */
export function createView(context: ViewContext): () => View {
  const { conversation, transcript } = context
  let stateOf = stateIndex(conversation.projection)
  const toRound = rememberRounds(context)
  let seen: Projection | undefined
  let current: View | undefined
  return () => {
    const version = conversation.version()
    if (current?.version !== version) current = freeze(version, conversation.projection)
    return current
  }

  function freeze(version: number, projection: Projection): View {
    // Read anew, a log has another projection.
    if (projection !== seen) stateOf = stateIndex(projection)
    seen = projection
    const stateThen = stateOf
    const segments = projection.segments.slice()
    const end = projection.timeline.size()
    const look = (target: BlockRef) => lookAt(segmentAt(projection, segments, target), target, context.erasing?.())
    let rounds: readonly Round[] | undefined
    let measured: ViewTokens | undefined
    let rewinds: readonly Rewound[] | undefined
    let pinned: ReturnType<typeof pinnedAreas> | undefined
    const allRounds = () => {
      rounds ??= segments.flatMap((segment) => toRound(segment) ?? [])
      return rounds
    }
    const state: View['state'] = (owner, key) => {
      rewinds ??= rewindsOf(projection)
      return stateThen(rewinds, end, owner, key)
    }
    return {
      version,
      get rounds() {
        return allRounds()
      },
      get tokens() {
        measured ??= context.measure()
        return measured
      },
      shows: (target) => look(target)[0],
      shown: (target) => look(target)[1],
      isPinned(target) {
        pinned ??= pinnedAreas(projection.timeline, pinnedEdits({ state }))
        return isPinned(projection.timeline, target, pinned)
      },
      roundsIn({ from, to }) {
        const first = allRounds().findIndex(({ span }) => span.from === from)
        const last = allRounds().findIndex(({ span }) => span.to === to)
        return first === -1 || last === -1 ? [] : allRounds().slice(first, last + 1)
      },
      state,
      ...(transcript !== undefined && { transcript }),
    }
  }
}

/** How a block is shown, and what stands for it. */
function lookAt(
  segment: Segment | undefined,
  target: BlockRef,
  erasing: Erasing | undefined,
): readonly [ReturnType<View['shows']>, readonly Block[]] {
  const block = segment?.round?.entries.find(({ id }) => id === target.entry)?.content[target.block]
  if (!segment || !block) return ['hidden', []]
  const key = refKey(target)
  const isTaken = erasing === 'named' || (erasing === 'deleted' && block.type === 'tool_result')
  if (isTaken && segment.erased.has(key)) return ['erased', []]
  const replaced = segment.replaced.get(key)
  return replaced ? ['changed', replaced.change.content] : ['whole', [block]]
}

function segmentAt({ timeline }: Projection, segments: readonly Segment[], { entry }: BlockRef): Segment | undefined {
  return segments[segmentOf(segments, timeline.place(entry)?.round ?? -1) ?? -1]
}

/** Rounds by their segment: a segment that changed is another object. */
function rememberRounds(context: ViewContext): (segment: Segment) => Round | undefined {
  const known = new WeakMap<Segment, Round>()
  return (segment) => {
    const found = known.get(segment)
    if (found) return found
    const round = roundOf(segment, context)
    if (round) known.set(segment, round)
    return round
  }
}

function roundOf(segment: Segment, { conversation, tokens, erasing }: ViewContext): Round | undefined {
  const content = contentOf(segment)
  if (segment.span && !content) return undefined
  let estimate: number | undefined
  return {
    span: spanOf(conversation.projection, segment),
    // Looking at every word takes longer than reading the log: only for whoever asks.
    get tokens() {
      // What is erased depends on the model, which may be another one the next time.
      if (segment.erased.size || estimate === undefined) estimate = estimateSegment(segment, content, erasing?.())
      return tokens(estimate)
    },
    entries: [...(segment.round?.entries ?? [])],
    ...(content && { content }),
  }
}

/** What stands for a span; nothing where it was taken back. */
function contentOf({ span }: Segment): readonly Block[] | undefined {
  if (!span) return undefined
  const { change } = span
  if (change.kind === 'fold') return change.content
  return change.note === undefined ? undefined : [{ type: 'text', text: change.note }]
}

function estimateSegment(
  segment: Segment,
  content: readonly Block[] | undefined,
  erasing: Erasing | undefined,
): number {
  const { round, before, after } = segment
  const shown =
    content ??
    (round?.entries ?? []).flatMap((entry) =>
      entry.content.flatMap((_, block) => lookAt(segment, { entry: entry.id, block }, erasing)[1]),
    )
  const notes = [...before, ...after].reduce((sum, { note }) => sum + estimateText(note.text), 0)
  return estimateAll(shown) + notes
}

function spanOf({ timeline }: Projection, { first, last }: Segment): Round['span'] {
  const from = timeline.rounds[first]?.entries[0]?.id as string
  const to = timeline.rounds[last]?.entries.at(-1)?.id as string
  return { from, to }
}

function estimateAll(content: readonly Block[]): number {
  return content.reduce((sum, block) => sum + estimateBlock(block), 0)
}

type StateIndex = (rewinds: readonly Rewound[], end: number, owner: string, key: string) => Json | undefined

/** The last value in view: what falls into a rewind that came later is gone, what was folded is not. */
function stateIndex({ timeline }: Projection): StateIndex {
  const byKey = new Map<string, Place<StateEntry>[]>()
  let seen = 0
  return (rewinds, end, owner, key) => {
    for (; seen < timeline.states.length; seen++) {
      const place = timeline.states[seen] as Place<StateEntry>
      const name = `${place.entry.owner}/${place.entry.key}`
      const places = byKey.get(name)
      if (places) places.push(place)
      else byKey.set(name, [place])
    }
    const places = byKey.get(`${owner}/${key}`) ?? []
    return places.findLast((place) => place.ordinal < end && !isRewound(rewinds, place))?.entry.value
  }
}

interface ContextTokens {
  readonly total: number
  /** The part of the total that nobody has counted yet. */
  readonly estimated: number
}

/**
 * The size of the view. What the API counted for the last response is exact; what came after it is estimated, and what
 * edits took out before it since then is taken off by estimate. A fold from the start leaves nothing that was counted.
 */
export function contextTokens(
  conversation: Conversation,
  tokens: (estimate: number) => number,
  erasing?: Erasing,
): ContextTokens {
  const rendering = conversation.rendering()
  const counted = lastCounted(conversation)
  const after = counted && tokensAfter(rendering, counted.entry.id)
  if (!counted || after === undefined) {
    const total = sizeOfFolded(conversation, tokens)
    return { total, estimated: total }
  }
  const { usage } = counted.entry
  const since = after === 0 ? 0 : after + USER_TURN_TOKENS
  const change = tokens(since) - freedBefore(conversation.projection.timeline, counted.ordinal, tokens, erasing)
  const total = Math.max(0, promptTokens(usage) + usage.output + change)
  return { total, estimated: Math.abs(change) }
}

/** Of what nobody has counted: a fold at the beginning knows the size that it left, what has changed since is estimated. */
function sizeOfFolded({ rendering, epoch, projection }: Conversation, tokens: (estimate: number) => number): number {
  const estimate = rendering().tokens + estimateEpoch(epoch())
  const start = projection.segments[0]?.span
  const edit = start?.change.kind === 'fold' ? projection.timeline.place(start.edit)?.entry : undefined
  const { size, estimated } = edit?.kind === 'edit' ? edit.price : {}
  return size === undefined || !estimated ? tokens(estimate) : shifted(size, estimate - estimated.left, tokens)
}

/** A size that was known, with what has come or gone since by estimate. */
export function shifted(size: number, change: number, tokens: (estimate: number) => number): number {
  return Math.max(0, size + signedTokens(change, tokens))
}

/** The last response in view, unless all before it has been folded since. */
function lastCounted({ projection }: Conversation): Place<AssistantEntry> | undefined {
  const { segments, timeline } = projection
  for (let index = segments.length - 1; index >= 0; index--) {
    const entry = segments[index]?.round?.entries.findLast((each) => each.kind === 'assistant')
    if (!entry) continue
    const place = timeline.place(entry.id) as Place<AssistantEntry>
    const start = segments[0]?.span
    const isFolded = start?.change.kind === 'fold' && start.ordinal > place.ordinal
    return isFolded || promptTokens(place.entry.usage) === 0 ? undefined : place
  }
  return undefined
}

/** Estimated tokens behind a response; it is among the last messages. */
function tokensAfter(rendering: Rendering, response: Id): number | undefined {
  for (let index = rendering.length - 1; index >= 0; index--) {
    const message = rendering.at(index)
    if (message?.role !== 'assistant') continue
    return message.blocks.some(({ ref }) => ref?.entry === response) ? rendering.tokens - message.tokens : undefined
  }
  return undefined
}

/** What edits after a place took out of what stands before it. */
function freedBefore(
  timeline: Timeline,
  ordinal: number,
  tokens: (estimate: number) => number,
  erasing: Erasing | undefined,
): number {
  let freed = 0
  for (let index = timeline.edits.length - 1; index >= 0; index--) {
    const { ordinal: own, entry } = timeline.edits[index] as Timeline['edits'][number]
    if (own < ordinal) break
    if (startsOf(entry, timeline, erasing).some((id) => (timeline.place(id)?.ordinal ?? 0) <= ordinal)) {
      // Before sizes were calibrated, a price was an estimate.
      freed += entry.price.estimated ? entry.price.freed : signedTokens(entry.price.freed, tokens)
    }
  }
  return freed
}

/** Where the changes of an edit begin. */
function startsOf(edit: Edit, timeline: Timeline, erasing: Erasing | undefined): readonly Id[] {
  return edit.changes.flatMap((change) => startOf(change, edit.id, timeline, erasing))
}

function startOf(change: Change, edit: Id, timeline: Timeline, erasing: Erasing | undefined): Id | readonly Id[] {
  switch (change.kind) {
    case 'replace':
      return change.target.entry
    case 'erase':
      // A deletion weighs where it stands, what is named where it is left out.
      return erasing === 'deleted' ? edit : change.target.entry
    case 'fold':
    case 'drop':
      return change.span.from
    case 'revert': {
      const reverted = timeline.place(change.edit)?.entry
      return reverted?.kind === 'edit' ? startsOf(reverted, timeline, erasing) : []
    }
    case 'renew':
      // System and tools stand before everything.
      return timeline.rounds[0]?.entries[0]?.id ?? []
    case 'insert':
      // Notes stand behind everything.
      return []
  }
}
