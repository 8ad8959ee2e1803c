import type { Layer } from '../layer.js'
import { drainRelief } from './drain-relief.js'
import { createFoldAhead } from './fold-ahead.js'
import { createSummariser } from './summariser.js'

/** Finished spans of work are summarised in the background and folded one by one, in place of automatic summaries. */
export const collapse: Layer = (parts) => {
  const summariser = createSummariser(parts)
  const foldAhead = createFoldAhead(parts, summariser)
  return {
    reliefs: [drainRelief(parts, summariser)],
    hooks: {
      PostModelCall({ view }, context) {
        if (!parts.flag('collapse')) return
        summariser.start(view, context)
        foldAhead(view, context)
      },
      SessionEnd: () => summariser.stop(),
    },
  }
}
