import { definePlugin, foldDraft } from '@nacre/core'

/**
 * Folds the oldest half of the conversation to one line when there is no room left. On the rung `digest`: it needs no
 * model, and whatever loses less goes first.
 */
export const foldOldest = definePlugin({
  name: 'fold-oldest',
  setup: () => ({
    reliefs: [
      {
        name: 'fold-oldest',
        rung: 'digest',
        offer(view, { pressure }) {
          if (pressure === 'idle') return undefined
          const oldest = view.rounds.slice(0, Math.floor(view.rounds.length / 2))
          const [first, last] = [oldest.at(0), oldest.at(-1)]
          if (!first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          const frees = oldest.reduce((sum, round) => sum + round.tokens, 0)
          const text = `${oldest.length} rounds were folded without a summary.`
          return { span, frees, dollars: 0, draft: () => foldDraft(view, span, text, { reason: 'the oldest half' }) }
        },
      },
    ],
  }),
})
