import { foldDraft } from '../../src/fold/fold-draft.js'
import { definePlugin } from '../../src/types/plugin.js'

/** Folds all but the last round. */
export const folding = definePlugin({
  name: 'folding',
  setup: () => ({
    reliefs: [
      {
        name: 'folding',
        rung: 'summary',
        offer(view) {
          const rounds = view.rounds.slice(0, -1)
          const [first, last] = [rounds[0], rounds.at(-1)]
          if (!first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          return { span, frees: 1_000, dollars: 0, draft: () => foldDraft(view, span, 'All went well so far.') }
        },
      },
    ],
  }),
})
