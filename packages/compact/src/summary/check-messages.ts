import { missingMessages, type Receipt } from '@nacre/core'
import { findSections } from './find-sections.js'
import { USER_MESSAGES } from './section-titles.js'

type Check = Receipt['checks'][number]

/** How many of the user's messages since the last fold section 6 quotes, and what became of the others in `content`. */
export function checkMessages(
  summary: string,
  titles: readonly string[],
  said: readonly string[],
  content: string,
): Check {
  const section = findSections(summary, titles).find(({ number }) => number === USER_MESSAGES)
  const missing = lacking(said, section ? summary.slice(section.body, section.end) : '')
  const left = lacking(missing, content)
  const found = `${said.length - missing.length} of ${said.length} in section 6`
  const added = missing.length > left.length ? `, ${missing.length - left.length} missing were appended` : ''
  const lost = left.length > 0 ? `, ${left.length} found no room and are in the log` : ''
  return { name: 'user messages', ok: left.length === 0, detail: `${found}${added}${lost}` }
}

/** By the same measure as what is appended. */
function lacking(said: readonly string[], text: string): string[] {
  const messages = said.map((words) => ({ entry: '', text: words }))
  return missingMessages(messages, text, Number.POSITIVE_INFINITY, true).kept.map((message) => message.text)
}
