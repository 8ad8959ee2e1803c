import { foldDraft, type Relief } from '@nacre/core'
import { readMinutes } from './minutes-state.js'
import { roundsUpTo, spanOf } from './rounds-up-to.js'

/** Folds what the minutes are about. On the rung `notes`: they are written already, so it costs nothing and waits for nobody. */
export const minutesRelief: Relief = {
  name: 'minutes',
  rung: 'notes',
  offer(view, { pressure }) {
    const minutes = readMinutes(view)
    if (pressure === 'idle' || !minutes) return undefined
    const rounds = roundsUpTo(view, minutes.covers)
    const span = spanOf(rounds)
    if (!span) return undefined
    const frees = rounds.reduce((sum, round) => sum + round.tokens, 0)
    return { span, frees, dollars: 0, draft: () => foldDraft(view, span, minutes.text, { reason: 'by the minutes' }) }
  },
}
