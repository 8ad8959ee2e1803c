import type { Round, View, ViewTokens } from '../contract/view.js'
import type { Block, BlockRef, Json, StateEntry } from '../log/entry.js'
import type { Place } from '../log/timeline.js'
import type { Erasing } from '../request/renderer.js'
import type { Conversation } from '../session/conversation.js'
import { estimateBlock } from '../tokens/estimate-block.js'
import { estimateText } from '../tokens/estimate-text.js'
import type { Projection } from './projection.js'
import { isRewound, type Rewound, rewindsOf } from './rewinds.js'
import { refKey, type Segment, segmentOf } from './segment.js'

export interface ViewParts {
  readonly conversation: Conversation
  /** The size of the whole; asked once for each version. */
  measure(): ViewTokens
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
  /** How the model that is asked leaves out what is erased; it does not unless told. */
  erasing?(): Erasing | undefined
}

/** Gives the view as it stands: the same object until something changes, and no work for what nobody asks. */
export function createView(parts: ViewParts): () => View {
  const { conversation } = parts
  let stateOf = stateIndex(conversation.projection)
  const toRound = rememberRounds(parts)
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
    const look = (target: BlockRef) => lookAt(segmentAt(projection, segments, target), target, parts.erasing?.())
    let rounds: readonly Round[] | undefined
    let measured: ViewTokens | undefined
    let rewinds: readonly Rewound[] | undefined
    return {
      version,
      get rounds() {
        rounds ??= segments.flatMap((segment) => toRound(segment) ?? [])
        return rounds
      },
      get tokens() {
        measured ??= parts.measure()
        return measured
      },
      shows: (target) => look(target)[0],
      shown: (target) => look(target)[1],
      state(owner, key) {
        rewinds ??= rewindsOf(projection)
        return stateThen(rewinds, end, owner, key)
      },
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
function rememberRounds(parts: ViewParts): (segment: Segment) => Round | undefined {
  const known = new WeakMap<Segment, Round>()
  return (segment) => {
    const found = known.get(segment)
    if (found) return found
    const round = roundOf(segment, parts)
    if (round) known.set(segment, round)
    return round
  }
}

function roundOf(segment: Segment, { conversation, tokens, erasing }: ViewParts): Round | undefined {
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
