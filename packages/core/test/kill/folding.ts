import { foldDraft } from '../../src/fold/fold-draft.js'
import { definePlugin } from '../../src/types/plugin.js'

const EVERY = 4

/** Shortens results, and folds all but the last round after every few answers. */
export const folding = definePlugin({
  name: 'folding',
  setup: () => ({
    hooks: {
      PostToolUse: ({ value }) => ({ ...value, content: [...value.content, { type: 'text', text: '(looked at)' }] }),
      PostModelCall({ view }, context) {
        const rounds = view.rounds.slice(0, -1)
        const [first, last] = [rounds[0], rounds.at(-1)]
        if (!first || !last || rounds.length < EVERY) return
        const span = { from: first.span.from, to: last.span.to }
        void context.propose(foldDraft(view, span, 'All went well so far.'))
      },
    },
  }),
})
