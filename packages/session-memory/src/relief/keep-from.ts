import type { Round, View } from '@nacre/core'
import type { Place } from '../covering/first-after.js'
import { FIGURES, MESSAGES_KEPT } from '../figures.js'

/**
 * The first round that stays when notes fold what is before it: the first that they do not cover, or one before it, so
 * that enough stays to go on with. `undefined` where what they do not cover is more than may stay. Rounds are whole, so
 * that no call is parted from its result and no thinking from its response.
 */
export function keepFrom({ rounds }: View, uncovered: Place, scale: number): number | undefined {
  const most = FIGURES.keepAtMost * scale
  const least = FIGURES.keepAtLeast * scale
  let start = uncovered.round
  let { tokens, messages } = sizeOf(rounds.slice(start))
  if (tokens > most) return undefined
  while (tokens < least || messages < MESSAGES_KEPT) {
    const before = rounds[start - 1]
    if (!before || before.content || tokens + before.tokens > most) break
    const size = sizeOf([before])
    tokens += size.tokens
    messages += size.messages
    start -= 1
  }
  return start
}

function sizeOf(rounds: readonly Round[]): { tokens: number; messages: number } {
  const texts = rounds.flatMap(({ entries }) => entries).filter(({ content }) => content.some(isText))
  return { tokens: rounds.reduce((sum, round) => sum + round.tokens, 0), messages: texts.length }
}

function isText({ type, text }: { readonly type: string; readonly text?: unknown }): boolean {
  return type === 'text' && String(text).trim() !== ''
}
