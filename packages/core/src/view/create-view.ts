import type { Round, View, ViewTokens } from '../contract/view.js'
import type { Block, BlockRef, Json, StateEntry } from '../log/entry.js'
import type { Place } from '../log/timeline.js'
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
      shows: (target) => shows(projection, segments, target),
      shown: (target) => shown(projection, segments, target),
      state(owner, key) {
        rewinds ??= rewindsOf(projection)
        return stateThen(rewinds, end, owner, key)
      },
    }
  }
}

function shows(projection: Projection, segments: readonly Segment[], target: BlockRef): ReturnType<View['shows']> {
  const segment = segmentAt(projection, segments, target)
  if (!segment?.round) return 'hidden'
  return segment.replaced.has(refKey(target)) ? 'changed' : 'whole'
}

function shown(projection: Projection, segments: readonly Segment[], target: BlockRef): readonly Block[] {
  const { round, replaced } = segmentAt(projection, segments, target) ?? {}
  const block = round?.entries.find(({ id }) => id === target.entry)?.content[target.block]
  return block ? (replaced?.get(refKey(target))?.change.content ?? [block]) : []
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

function roundOf(segment: Segment, { conversation: { projection }, tokens }: ViewParts): Round | undefined {
  const content = contentOf(segment)
  if (segment.span && !content) return undefined
  let estimate: number | undefined
  return {
    span: spanOf(projection, segment),
    // Looking at every word takes longer than reading the log: only for whoever asks.
    get tokens() {
      estimate ??= estimateSegment(segment, content)
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

function estimateSegment({ round, replaced, before, after }: Segment, content: readonly Block[] | undefined): number {
  const shown =
    content ??
    (round?.entries ?? []).flatMap((entry) =>
      entry.content.flatMap(
        (block, index) => replaced.get(refKey({ entry: entry.id, block: index }))?.change.content ?? [block],
      ),
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
