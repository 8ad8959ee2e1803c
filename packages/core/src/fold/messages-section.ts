import type { SaidMessage } from './missing-messages.js'
import { missingMessages } from './missing-messages.js'

const HEADING = 'What the user said in that part, word for word: the last message, and those not quoted above'
const MESSAGE = /<user_message entry="([^"\n]*)">\n([\s\S]*?)\n<\/user_message>(?=\n<user_message entry="|$)/g

/** The user's messages that a text lacks and the last one, word for word; empty where nobody said anything. */
export function messagesSection(
  messages: readonly SaidMessage[],
  text: string,
  budget: number,
  mayLastGo = false,
): string {
  const { kept, leftOut } = missingMessages(messages, text, budget, mayLastGo)
  if (kept.length === 0 && leftOut === 0) return ''
  const left = leftOut === 0 ? '' : ` (${leftOut} more left out)`
  const quotes = kept.map((message) => `<user_message entry="${message.entry}">\n${message.text}\n</user_message>`)
  return [`${HEADING}${left}:`, ...quotes].join('\n')
}

/**
 * The messages of such a section, which ends the text, so that the next fold carries them on; none for any other text.
 * Only in a note it may follow other words: what a summary says is never taken for the user's own.
 */
export function readMessages(text: string, isNote: boolean): SaidMessage[] {
  const start = isNote ? `\n${text}`.indexOf(`\n${HEADING}`) : text.startsWith(HEADING) ? 0 : -1
  if (start === -1) return []
  return [...text.slice(start).matchAll(MESSAGE)].map(([, entry = '', text = '']) => ({ entry, text }))
}
