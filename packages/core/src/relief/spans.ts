import type { Id, Span } from '../types/log.js'
import type { Projection } from '../view/projection.js'
import { type PlacedNote, type Segment, segmentOf } from '../view/segment.js'

/** The part of the view that a span covers, as a text that is another one once anything in it has changed; `undefined` when it is not in view. */
export function spanState({ timeline, segments }: Projection, span: Span): string | undefined {
  const from = timeline.place(span.from)
  const to = timeline.place(span.to)
  const first = from && segmentOf(segments, from.round)
  const last = to && segmentOf(segments, to.round)
  if (first === undefined || last === undefined || first > last) return undefined
  return segments
    .slice(first, last + 1)
    .map(segmentState)
    .join('\n')
}

/** The same for all that the model will see. */
export function viewState({ segments, waiting }: Projection): string {
  return [...segments.map(segmentState), notesState(waiting)].join('\n')
}

function segmentState({ first, last, round, span, replaced, erased, before, after }: Segment): string {
  const changed: Id[] = [...replaced.values()].map(({ edit }) => edit)
  return JSON.stringify([
    first,
    last,
    round?.entries.length,
    span?.edit,
    changed,
    [...erased],
    notesState(before),
    notesState(after),
  ])
}

function notesState(notes: readonly PlacedNote[]): string {
  return notes.map(({ edit }) => edit).join()
}
