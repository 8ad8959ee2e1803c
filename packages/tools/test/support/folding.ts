import { definePlugin, foldDraft, type Plugin, type Round } from '@nacre/core'

/** Folds the rounds that it picks, the first of them to the last, when it is asked to by hand. */
export function folding(pick: (rounds: readonly Round[]) => readonly Round[]): Plugin {
  return definePlugin({
    name: 'folding',
    setup: () => ({
      reliefs: [
        {
          name: 'folding',
          rung: 'summary',
          offer(view, { pressure }) {
            const rounds = pick(view.rounds)
            const [first, last] = [rounds[0], rounds.at(-1)]
            if (pressure === 'idle' || !first || !last) return undefined
            const span = { from: first.span.from, to: last.span.to }
            return { span, frees: 1_000, dollars: 0, draft: () => foldDraft(view, span, 'Some work was done.') }
          },
        },
      ],
    }),
  })
}

export const foldAllButLast = folding((rounds) => rounds.slice(0, -1))

/** Enough to be worth a fold. */
export const LONG_ANSWER = 'The parser reads one token after the other and puts them together to a tree. '.repeat(150)
