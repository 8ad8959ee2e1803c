import type { Block } from '../../wire.js'
import type { ModelTurn } from '../model.js'
import { isFrame } from './is-frame.js'
import { sectionTitles } from './section-titles.js'
import { asksForRecords } from './write-records.js'

const FEWEST_TITLES = 2

/** The words with which a client asks for a summary: the last ones of the person, known by their form. */
export function summaryRequest({ messages, source }: ModelTurn): Block | undefined {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? []
  return last.findLast(
    ({ type, text }) =>
      type === 'text' && (asks(String(text)) || (source === 'compact' && /summar/i.test(String(text)))),
  )
}

function asks(text: string): boolean {
  if (asksForRecords(text)) return true
  if (!text.includes('<summary>') || isFrame(text)) return false
  return sectionTitles(text).length >= FEWEST_TITLES || /\bsections?\b/i.test(text)
}
