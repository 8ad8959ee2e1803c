import { estimateText } from '@nacre/core'
import type { WorkSpan } from './work-span.js'

/** A record that is longer than this part of what it stands for is none. */
const LONGEST = 0.5

/** The records of an answer by the number of their span; what is missing, empty or too long is left out. */
export function readParts(answer: string, spans: readonly WorkSpan[]): ReadonlyMap<WorkSpan, string> {
  const found = new Map<WorkSpan, string>()
  for (const [, number, words = ''] of answer.matchAll(/<part number="(\d+)">([\s\S]*?)<\/part>/g)) {
    const span = spans[Number(number) - 1]
    const text = words.trim()
    if (!span || text === '' || text === '…' || estimateText(text) > span.tokens * LONGEST) continue
    found.set(span, text)
  }
  return found
}
