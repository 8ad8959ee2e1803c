import { estimateText, type NacreError } from '@nacre/core'
import type { RoundText } from './transcript.js'

/** How much goes where the error does not say how much is too much. */
const UNNAMED_SHARE = 0.2
/** Room for the words that tell of the cut. */
const MARKER = 60

/**
 * Drops the oldest rounds until the gap is covered that the API named. What stands for earlier rounds goes last: it is
 * short, and all that is known of them.
 */
export function cutHead(rounds: readonly RoundText[], { gap, limit }: NacreError['details']): readonly RoundText[] {
  const order = [...rounds.filter(({ isFold }) => !isFold), ...rounds.filter(({ isFold }) => isFold)]
  const sizes = new Map(rounds.map((round) => [round, sizeOf(round)]))
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  // The API has counted the whole, so its measure and ours can be compared.
  const scale = gap !== undefined && limit !== undefined && total > 0 ? Math.max(1, (gap + limit) / total) : 1
  const dropped = new Set<RoundText>()
  let freed = 0
  const isEnough = () =>
    gap === undefined ? dropped.size >= rounds.length * UNNAMED_SHARE : freed * scale >= gap + MARKER
  for (const round of order) {
    if (dropped.size > 0 && isEnough()) break
    dropped.add(round)
    freed += sizes.get(round) ?? 0
  }
  return rounds.filter((round) => !dropped.has(round))
}

function sizeOf({ said }: RoundText): number {
  return said.reduce((sum, { text }) => sum + estimateText(text), 0)
}
