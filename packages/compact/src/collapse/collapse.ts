import type { Layer } from '../layer.js'
import { drainRelief } from './drain-relief.js'
import { createFoldAhead } from './fold-ahead.js'
import { createPinnedRounds } from './pinned-rounds.js'
import { createSummariser } from './summariser.js'

/** Finished spans of work are summarised in the background and folded one by one, in place of automatic summaries. */
export const collapse: Layer = (parts) => {
  const summariser = createSummariser(parts)
  const foldAhead = createFoldAhead(parts, summariser)
  const pinnedRounds = createPinnedRounds(parts.store)
  return {
    reliefs: [drainRelief(parts, summariser, pinnedRounds)],
    hooks: {
      async PostModelCall({ view }, context) {
        if (!parts.flag('collapse')) return
        const isPinned = await pinnedRounds(view)
        summariser.start(view, context, isPinned)
        foldAhead(view, context, isPinned)
      },
      SessionEnd: () => summariser.stop(),
    },
  }
}
