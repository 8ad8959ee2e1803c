import type { Id } from '../log/entry.js'
import { estimateText } from '../tokens/estimate-text.js'

/** What a person said, and the entry it stands in. */
export interface SaidMessage {
  readonly entry: Id
  readonly text: string
}

/** Messages that stand beside a text, in order. */
export interface MissingMessages {
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
