import type { Block, Round, View } from '@nacre/core'
import { whole } from '../recall/excerpt.js'
import { cutLine } from '../snip/cut-line.js'
import { roundWords } from '../snip/round-words.js'
import type { WorkSpan } from './work-span.js'

const WORDS = 160

/** Asks for short summaries of finished parts of the conversation, each named by its first and last words. */
export function spanPrompt(view: View, spans: readonly WorkSpan[]): readonly Block[] {
  const parts = spans.map(
    ({ rounds }, index) =>
      `Part ${index + 1} (${rounds.length} rounds)\n  begins: ${first(view, rounds)}\n  ends: ${last(view, rounds)}`,
  )
  const text = [
    'This is beside the conversation and no part of the task. Answer with text only: no tool can be used here.',
    `Some parts of the conversation above are finished and will be left out of it later. Write a short record of each.`,
    parts.join('\n'),
    'For each part, in at most 120 words: what was asked, what was done and decided, what came out, and what is still open. Keep exact names: paths, commands, numbers, error texts. Say nothing about other parts, and repeat nothing that later parts have made void.',
    `Give exactly ${spans.length === 1 ? 'this one element' : `these ${spans.length} elements`} and nothing else, text only:`,
    spans.map((_, index) => `<part number="${index + 1}">…</part>`).join('\n'),
  ].join('\n\n')
  return [{ type: 'text', text }]
}

function first(view: View, rounds: readonly Round[]): string {
  return cutLine(rounds[0] ? roundWords(view, rounds[0]) : '', WORDS)
}

function last(view: View, rounds: readonly Round[]): string {
  const round = rounds.at(-1)
  const said = round && { ...round, entries: round.entries.filter(({ kind }) => kind === 'assistant') }
  const words = said ? roundWords(view, said) : ''
  const end = words.slice(whole(words, words.length - WORDS))
  return words.length > WORDS ? `…${cutLine(end, WORDS + 1)}` : cutLine(words, WORDS)
}
