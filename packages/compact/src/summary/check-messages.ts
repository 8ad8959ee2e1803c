import type { Receipt } from '@nacre/core'
import { findSections } from './find-sections.js'
import { normalised } from './normalised.js'
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
  const quoted = normalised(section ? summary.slice(section.body, section.end) : '')
  const missing = said.filter((text) => !quoted.includes(normalised(text)))
  const all = normalised(content)
  const left = missing.filter((text) => !all.includes(normalised(text)))
  const found = `${said.length - missing.length} of ${said.length} in section 6`
  const added = missing.length > left.length ? `, ${missing.length - left.length} missing were appended` : ''
  const lost = left.length > 0 ? `, ${left.length} found no room and are in the log` : ''
  return { name: 'user messages', ok: left.length === 0, detail: `${found}${added}${lost}` }
}
