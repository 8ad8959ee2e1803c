import type { Round, Span, View } from '@nacre/core'
import { isComplete } from '../fold-span.js'
import { findRound, type Problem } from './find-round.js'
import { lastPromptRound } from './last-prompt-round.js'

/** Neighbouring rounds that may be snipped. */
export interface SnipSpan {
  readonly rounds: readonly Round[]
  readonly span: Span
}

/** The rounds from one name to another, or why they can not be snipped. */
export function snipSpan(view: View, from: string, to: string = from): SnipSpan | Problem {
  const { rounds } = view
  const first = findRound(view, from)
  if (typeof first !== 'number') return first
  const last = findRound(view, to)
  if (typeof last !== 'number') return last
  if (first > last) return { problem: `'${from}' comes after '${to}': name the earlier one first.` }
  const taken = rounds.slice(first, last + 1)
  const prompt = lastPromptRound(rounds)
  if (first <= prompt && prompt <= last) {
    return { problem: 'The last prompt is in it, which always stays in view: begin after it, or rewind instead.' }
  }
  if (taken.some(({ content }) => content)) {
    return { problem: 'A part of it was folded or snipped already: leave that out, or undo it first.' }
  }
  if (!taken.every(isComplete)) return { problem: 'It is not finished yet: only rounds with all their results can go.' }
  return { rounds: taken, span: { from: rounds[first]?.span.from ?? from, to: rounds[last]?.span.to ?? to } }
}
