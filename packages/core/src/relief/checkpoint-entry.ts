import { coreState } from '../log/core-state.js'
import type { Edit } from '../log/edit.js'
import type { Id, Json, StateEntry } from '../log/entry.js'
import type { Place, Timeline } from '../log/timeline.js'
import type { Draft } from '../session/conversation.js'
import type { Projection } from '../view/projection.js'

/** Where a resume may start once a fold from the start is in force, and what it needs to know of the log before it. */
export function checkpointEntry(
  projection: Projection,
  edit: Edit,
  known: Json | undefined,
  kept: { readonly [key: string]: unknown },
): Draft<StateEntry> {
  const { timeline } = projection
  const first = firstKnown(known) ?? firstOf(timeline) ?? edit.id
  return coreState('checkpoint', { ...kept, from: firstInView(projection, edit), edit: edit.id, first })
}

/** A note may stand in the log before the turn that it waits for, so edits count as well as messages. */
function firstInView({ timeline, alive }: Projection, edit: Edit): Id {
  const fold = edit.changes.find((change) => change.kind === 'fold')
  const end = (fold && timeline.place(fold.span.to)?.round) ?? -1
  const message = timeline.rounds[end + 1]?.entries[0]
  const places = [
    ...(message ? [timeline.place(message.id)] : []),
    timeline.edits.find(({ entry, round }) => round > end && alive().has(entry.id)),
    timeline.place(edit.id),
  ]
  return earliest(places)?.entry.id ?? edit.id
}

/** A log that was itself read from a checkpoint on does not hold its first entry. */
function firstKnown(known: Json | undefined): Id | undefined {
  const first = typeof known === 'object' && known !== null && 'first' in known ? known.first : undefined
  return typeof first === 'string' ? first : undefined
}

function firstOf(timeline: Timeline): Id | undefined {
  const message = timeline.rounds[0]?.entries[0]
  const places = [message && timeline.place(message.id), timeline.edits[0], timeline.states[0]]
  return earliest(places)?.entry.id
}

function earliest(places: readonly (Place | undefined)[]): Place | undefined {
  const known = places.filter((place) => place !== undefined)
  return known.sort((a, b) => a.ordinal - b.ordinal)[0]
}
