import type { Said } from '../logs/logs.js'
import type { Speaker } from '../memory/memory.js'
import { findQuote } from '../memory/statement.js'
import type { Witness } from '../rules/judge.js'

/** What may be quoted, oldest first: whatever stands outside of it is no evidence for the task at hand. */
export interface Witnesses {
  readonly said: readonly Said[]
  /** What the user said before that in the same session, oldest first: it is no evidence, but it tells how things were meant. */
  readonly before?: readonly string[]
}

/** Where words stand, best among those whose words count; the newest of several. */
export function findWitness(
  { said, before = [] }: Witnesses,
  quote: string,
  speakers: readonly Speaker[],
): Witness | undefined {
  const found = said.flatMap((each, place) => (findQuote(each.text, quote) ? [{ each, place }] : []))
  const best =
    found.findLast(({ each }) => each.by === 'user') ??
    found.findLast(({ each }) => speakers.includes(each.by)) ??
    found.at(-1)
  if (!best) return undefined
  const isUser = ({ by, session }: Said) => by === 'user' && session === best.each.session
  const later = said.slice(best.place + 1).find(isUser)?.text
  const earlier = [
    ...before,
    ...said
      .slice(0, best.place)
      .filter(isUser)
      .map(({ text }) => text),
  ]
  return { said: best.each, earlier, ...(later !== undefined && { later }) }
}
