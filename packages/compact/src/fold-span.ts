import type { Need, Part, Round, Span, View } from '@nacre/core'

/** A last round below this part of the threshold stays as it is, unless a person asks. */
const LAST_ROUND_SHARE = 0.25

/**
 * What a fold may cover: all complete rounds, or the part that a person asked for. Below that the last one stays
 * unless it is so large that nothing would be gained without it. `undefined` where there is nothing to fold.
 */
export function foldSpan(view: View, need: Need): Span | undefined {
  const complete = view.rounds.filter(isComplete)
  const rounds = partOf(view, complete, need)
  const [first] = rounds
  const last = rounds.at(-1)
  return first && last ? { from: first.span.from, to: last.span.to } : undefined
}

function partOf(view: View, complete: readonly Round[], { part, pressure, excess, target }: Need): readonly Round[] {
  if (part) return partFrom(view, complete, part)
  // Asked for by a person, all may go: the target is nothing.
  const isByHand = pressure === 'high' && target === 0 && excess > 0
  const last = complete.at(-1)
  const stays = !isByHand && last !== undefined && last.tokens < view.tokens.threshold * LAST_ROUND_SHARE
  return stays ? complete.slice(0, -1) : complete
}

/** A part whose entry is nowhere in view holds nothing. */
function partFrom({ rounds }: View, complete: readonly Round[], part: Part): readonly Round[] {
  const entry = 'from' in part ? part.from : part.upTo
  const at = rounds.findIndex(({ span, entries }) => span.from === entry || entries.some(({ id }) => id === entry))
  if (at === -1) return []
  return 'from' in part
    ? complete.filter((round) => rounds.indexOf(round) >= at)
    : complete.filter((round) => rounds.indexOf(round) < at)
}

/** Folded, or answered with a result for each call: only such a round can be in a span. */
export function isComplete({ entries, content }: Round): boolean {
  if (content) return true
  const blocks = entries.flatMap((entry) => entry.content)
  const answered = new Set(blocks.map(({ tool_use_id }) => tool_use_id))
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  return entries.some(({ kind }) => kind === 'assistant') && calls.every(({ id }) => answered.has(id))
}
