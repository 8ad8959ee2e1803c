import type { RestoreEvent, Round } from '@nacre/core'

/** The rounds that a fold leaves. */
export function keptRounds({ view, folded }: Pick<RestoreEvent, 'view' | 'folded'>): readonly Round[] {
  const from = view.rounds.findIndex(({ span }) => span.from === folded.from)
  const to = view.rounds.findLastIndex(({ span }) => span.to === folded.to)
  return view.rounds.filter((_, index) => index < from || index > to)
}
