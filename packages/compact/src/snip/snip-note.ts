import { messagesSection, type SaidMessage, type View } from '@nacre/core'
import { counted } from '../receipt/counted.js'
import { isPrompt } from './is-prompt.js'
import { shownBlocks } from './shown-blocks.js'
import type { SnipSpan } from './snip-span.js'

/** What stands for rounds that were snipped: one line, and behind it what people said in them, word for word. */
export function snipNote(view: View, { rounds, span }: SnipSpan, why: string, recall: string | undefined): string {
  const line = [
    `[${counted(rounds.length, 'round')} left out here: ${why}.`,
    ...(recall === undefined ? [] : [`${recall} reads what stood there, from entry ${span.from} to entry ${span.to}.`]),
  ]
  const words = messagesSection(said(view, rounds), '', Number.POSITIVE_INFINITY)
  return [`${line.join(' ')}]`, ...(words === '' ? [] : [words])].join('\n')
}

const LINE = /^\[[\d,]+ rounds? left out here: .*\]$/m

/** The line of such a note, without what people said: a fold that covers it quotes that in its own place. Other texts whole. */
export function snipLine(note: string): string {
  const found = LINE.exec(note)
  return found?.index === 0 ? found[0] : note
}

function said(view: View, rounds: SnipSpan['rounds']): SaidMessage[] {
  const prompts = rounds.flatMap(({ entries }) => entries.filter(isPrompt))
  return prompts.flatMap((prompt) => {
    const text = shownBlocks(view, prompt)
      .flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
      .join('\n')
    return text.trim() === '' ? [] : [{ entry: prompt.id, text }]
  })
}
