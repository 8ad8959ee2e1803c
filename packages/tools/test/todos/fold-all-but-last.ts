import { definePlugin, foldDraft } from '@nacre/core'

/** Folds all but the last round when it is asked to by hand. */
export const foldAllButLast = definePlugin({
  name: 'fold-all-but-last',
  setup: () => ({
    reliefs: [
      {
        name: 'fold-all-but-last',
        rung: 'summary',
        offer(view, { pressure }) {
          const rounds = view.rounds.slice(0, -1)
          const [first, last] = [rounds[0], rounds.at(-1)]
          if (pressure === 'idle' || !first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          const frees = rounds.reduce((sum, { tokens }) => sum + tokens, 0)
          return { span, frees, dollars: 0, draft: () => foldDraft(view, span, 'Some work was done.') }
        },
      },
    ],
  }),
})

/** Enough to be worth a fold. */
export const LONG_ANSWER = 'The parser reads one token after the other and puts them together to a tree. '.repeat(150)
