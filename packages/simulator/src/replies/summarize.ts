import type { ModelTurn } from './model.js'
import { fitLines } from './summary/fit-lines.js'
import type { Material } from './summary/material.js'
import { readConversation } from './summary/read-conversation.js'
import { type SectionKind, sectionKind } from './summary/section-kind.js'
import { sectionLines } from './summary/section-lines.js'
import { sectionTitles } from './summary/section-titles.js'
import { summaryBudget } from './summary/summary-budget.js'
import { summaryRequest } from './summary/summary-request.js'
import { asksForRecords, writeRecords } from './summary/write-records.js'

export interface SummaryOptions {
  /** About how many tokens it may take; 4,000 unless told. What does not fit is lost, as in any summary. */
  readonly budget?: number
}

const BUDGET = 4_000

const TITLES: readonly string[] = [
  'Primary request and intent',
  'Key technical concepts',
  'Files and code',
  'Errors and fixes',
  'Problem solving',
  'All user messages',
  'Pending tasks',
  'Current work',
  'Next step',
]

/** The part of the budget that a section has. */
const SHARES: Readonly<Record<SectionKind, number>> = {
  intent: 0.08,
  concepts: 0.04,
  files: 0.2,
  errors: 0.14,
  solving: 0.08,
  messages: 0.24,
  pending: 0.06,
  completed: 0.1,
  current: 0.08,
  context: 0.1,
  next: 0.08,
  other: 0.05,
}

/**
 * A summary without a language model: quotes from what it is shown, newest first within a budget, in the sections that
 * the request lists or in nine of its own; or records of the numbered parts that it shows elements for. The same conversation gives the same text.
 */
export function summarize(turn: ModelTurn, { budget = BUDGET }: SummaryOptions = {}): string {
  const request = summaryRequest(turn)
  const asked = turn.purpose === 'compaction' ? (turn.instructions ?? '') : String(request?.text ?? '')
  if (asksForRecords(asked)) return writeRecords(asked)
  const material = readConversation(turn.messages, turn.purpose === 'compaction' ? undefined : request)
  const listed = sectionTitles(asked)
  const titles = listed.length > 1 ? listed : TITLES
  const sections = writeSections(titles, material, summaryBudget(asked, budget))
  return asked.includes('<summary>')
    ? `<analysis>\n${analyse(material)}\n</analysis>\n\n<summary>\n${sections}\n</summary>`
    : sections
}

function writeSections(titles: readonly string[], material: Material, budget: number): string {
  return titles
    .map((title, index) => {
      const kind = sectionKind(title)
      const lines = fitLines(sectionLines(kind, material), budget * SHARES[kind])
      const items = lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`)
      return [`${index + 1}. ${title}:`, ...(items.length > 0 ? items : ['- Nothing.'])].join('\n')
    })
    .join('\n\n')
}

function analyse({ said, told, calls, errors, carried }: Material): string {
  const counted = `${said.length} messages of the person, ${told.length} answers, ${calls.length} calls`
  const before = carried.size > 0 ? ' What an earlier summary says is carried over.' : ''
  return `In view: ${counted}, ${errors.length} signs of errors.${before}`
}
