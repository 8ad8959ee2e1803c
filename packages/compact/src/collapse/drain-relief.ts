import type { Offer, Relief } from '@nacre/core'
import type { Parts } from '../parts.js'
import { isByHand } from '../summary/is-by-hand.js'
import { drain } from './drain.js'
import { finishedSpans } from './finished-spans.js'
import type { PinnedRounds } from './pinned-rounds.js'
import type { Summariser } from './summariser.js'

/** Folds finished spans when the view is too large after all: before any summary, and without waiting for the model. */
export function drainRelief({ flag, recall }: Parts, summariser: Summariser, pinnedRounds: PinnedRounds): Relief {
  return {
    name: 'collapse',
    rung: 'notes',
    async offer(view, need): Promise<Offer | undefined> {
      if (!flag('collapse') || need.pressure === 'idle' || isByHand(need)) return undefined
      const isPinned = need.pressure === 'overflow' ? () => false : await pinnedRounds(view)
      const endOf = (from: string) => summariser.endOf(view, from)
      const spans = finishedSpans(view, { endOf, isPinned })
      const summaries = summariser.reader(view)
      const drained = drain(view, need.excess, { spans, summaries, isPinned, recall: recall() })
      if (!drained || drained.frees <= 0) return undefined
      const { draft, span, frees } = drained
      return { span, frees, dollars: 0, draft: () => draft }
    },
  }
}
