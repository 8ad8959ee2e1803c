import { estimateText, type Round, type View } from '@nacre/core'
import { HEADINGS } from '../digest/digest-words.js'
import { WORK_KINDS } from '../digest/done-work.js'
import { fitLast } from '../digest/fit.js'
import { harmless } from '../digest/one-line.js'
import { workLedger } from '../digest/work-ledger.js'
import { whole } from '../recall/excerpt.js'
import { cutLine } from '../snip/cut-line.js'
import { shownBlocks } from '../snip/shown-blocks.js'

const TOKENS = 300
const ANSWER = 600

/** A record of rounds without the model: what tools have done, and how the model's last words there began. */
export function standIn(view: View, rounds: readonly Round[]): string {
  const ledger = workLedger(view, rounds, () => undefined)
  const works = WORK_KINDS.flatMap((kind) => {
    const lines = ledger.get(kind) ?? []
    const kept = fitLast(lines, TOKENS / 2)
    return kept.length > 0 ? [`${HEADINGS[kind]}\n${kept.map((line) => `- ${line}`).join('\n')}`] : []
  })
  const answer = lastWords(view, rounds)
  const words = answer === '' ? [] : [`The model's last words there: ${cutLine(harmless(answer), ANSWER)}`]
  const text = [...works, ...words].join('\n')
  if (text === '') return 'Nothing was done there but what was said.'
  return estimateText(text) > TOKENS * 2 ? `${text.slice(0, whole(text, TOKENS * 6))}…` : text
}

function lastWords(view: View, rounds: readonly Round[]): string {
  const texts = rounds.flatMap(({ entries }) =>
    entries
      .filter(({ kind }) => kind === 'assistant')
      .flatMap((entry) => shownBlocks(view, entry))
      .flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])),
  )
  return texts.at(-1) ?? ''
}
