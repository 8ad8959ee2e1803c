import type { Json } from '@nacre/core'
import type { RoundText } from './transcript.js'

const HEAD = 'The conversation has begun before this; its beginning is not shown here.'

/** Messages without calls, which need no tools: the rounds, and the prompt behind them. */
export function plainMessages(rounds: readonly RoundText[], isCut: boolean, prompt: string): Json[] {
  const said = rounds.flatMap((round) => round.said)
  // A conversation begins with the user; so it also does not look whole when it is not.
  const needsHead = isCut || said[0]?.role !== 'user'
  const messages: { role: string; content: { type: string; text: string }[] }[] = []
  for (const { role, text } of [
    ...(needsHead ? [{ role: 'user', text: HEAD }] : []),
    ...said,
    { role: 'user', text: prompt },
  ]) {
    const last = messages.at(-1)
    if (last?.role === role) last.content.push({ type: 'text', text })
    else messages.push({ role, content: [{ type: 'text', text }] })
  }
  return messages
}
