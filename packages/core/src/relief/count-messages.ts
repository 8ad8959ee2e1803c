import type { ReceiptMessages } from '../log/edit.js'
import type { Span } from '../log/entry.js'
import type { Projection } from '../view/projection.js'

/** What a fold of that span would do to the messages of the log, as long as it is not in it. */
export function countMessages({ timeline, segments }: Projection, { from, to }: Span): ReceiptMessages {
  const first = timeline.place(from)?.round ?? 0
  const last = timeline.place(to)?.round ?? -1
  const counts = { folded: 0, kept: 0, dropped: 0 }
  for (const segment of segments) {
    const rounds = timeline.rounds.slice(segment.first, segment.last + 1)
    const messages = rounds.reduce((sum, { entries }) => sum + entries.length, 0)
    const isCovered = segment.first >= first && segment.last <= last
    if (isCovered) counts[segment.span?.change.kind === 'drop' ? 'dropped' : 'folded'] += messages
    else if (!segment.span) counts.kept += messages
  }
  return counts
}
