import { estimateText } from '../tokens/estimate.js'
import type { Id } from '../types/log.js'

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

/** What a person said, and the entry it stands in. */
export interface SaidMessage {
  readonly entry: Id
  readonly text: string
}

/** Messages that stand beside a text, in order. */
interface MissingMessages {
  readonly kept: readonly SaidMessage[]
  /** How many found no room. */
  readonly leftOut: number
}

/**
 * Which messages a text does not quote. The newest are kept first, whole or not at all. The last one always is, to the
 * byte: what the text quotes may be lost with the next fold, and its spaces may be others. Unless it may go: then it
 * counts as the others do.
 */
export function missingMessages(
  said: readonly SaidMessage[],
  text: string,
  budget: number,
  mayLastGo = false,
): MissingMessages {
  const quoted = normalised(text)
  const last = mayLastGo ? undefined : said.at(-1)
  const missing = said.filter((message) => message === last || !quotes(quoted, normalised(message.text)))
  let left = budget
  const kept = missing.toReversed().filter((message) => {
    const tokens = estimateText(message.text)
    if (message !== last && tokens > left) return false
    left -= tokens
    return true
  })
  return { kept: kept.reverse(), leftOut: missing.length - kept.length }
}

function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A short answer such as 'yes' is not quoted by a word that it is a part of. */
function quotes(text: string, message: string): boolean {
  for (let at = text.indexOf(message); at !== -1; at = text.indexOf(message, at + 1)) {
    const isCut = isWord(text[at - 1]) && isWord(message[0])
    const isLonger = isWord(text[at + message.length]) && isWord(message.at(-1))
    if (!isCut && !isLonger) return true
  }
  return false
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
