import { definePlugin, foldDraft, type Plugin, type Receipt } from '@nacre/core'

export interface FoldingOptions {
  /** What the drafts of the rung `summary` throw, one after the other, before one succeeds. */
  readonly failures?: readonly string[]
  readonly checks?: Receipt['checks']
}

/** A plugin that folds all but the last round with a fixed text: on the rung `summary`, or else on `digest`. */
export function folding({ failures = [], checks }: FoldingOptions = {}): Plugin {
  let next = 0
  return definePlugin({
    name: 'folding',
    setup: () => ({
      reliefs: (['summary', 'digest'] as const).map((rung) => ({
        name: `folding-${rung}`,
        rung,
        offer(view, { pressure }) {
          const [first] = view.rounds
          const last = view.rounds.at(-2)
          if (pressure === 'idle' || !first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          const draft = () => {
            const failure = rung === 'summary' ? failures[next++] : undefined
            if (failure !== undefined) throw new Error(failure)
            return foldDraft(view, span, `By ${rung}.`, { reason: rung, ...(checks && { checks }) })
          }
          return { span, frees: 1_000, dollars: 0, draft }
        },
      })),
    }),
  })
}

/** Only what this test folds with. */
export const OTHERS_OFF = { 'compact.summary': false, 'compact.digest': false, 'compact.clear': false }
