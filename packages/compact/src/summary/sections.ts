interface SummarySection {
  readonly title: string
  /** What belongs there, in words for the model. */
  readonly holds: string
}

const USER_MESSAGES: SummarySection = {
  title: 'All user messages',
  holds: 'every message of the user that is no tool result, word for word and in order',
}

const PENDING_TASKS: SummarySection = { title: 'Pending tasks', holds: 'what was asked for and is not done' }

const COMMON: readonly SummarySection[] = [
  {
    title: 'Primary request and intent',
    holds: 'everything that the user wants, with all conditions and corrections',
  },
  { title: 'Key technical concepts', holds: 'technologies, terms and decisions that matter' },
  {
    title: 'Files and code',
    holds: 'files that were read, changed or made, with why they matter and the code that is needed further on',
  },
  {
    title: 'Errors and fixes',
    holds: 'each error with its exact text, how it was fixed, and what the user said about it',
  },
  { title: 'Problem solving', holds: 'what was solved, and what is still being looked into' },
  USER_MESSAGES,
  PENDING_TASKS,
]

/** The parts of a summary, in order. What the prompt asks for, and what is looked for in the answer, is made of them. */
const WHOLE: readonly SummarySection[] = [
  ...COMMON,
  { title: 'Current work', holds: 'what was being worked on last, precisely, with files and code' },
  {
    title: 'Next step',
    holds:
      'the step that follows directly from the last work, with verbatim quotes of the latest messages that ask for it, so that the task does not drift. No step that nobody asked for',
  },
]

/** Of what precedes a point: the work went on behind it, so there is no current work to tell of. */
const BEFORE: readonly SummarySection[] = [
  ...COMMON,
  { title: 'Work completed', holds: 'what was finished in this part, and in which state it was left' },
  {
    title: 'Context for continuing',
    holds: 'what one has to know to understand what follows: decisions, open ends, agreements',
  },
]

/** The numbers of the sections that are checked by what they hold. */
export const userMessagesSection = COMMON.indexOf(USER_MESSAGES) + 1
export const pendingTasksSection = COMMON.indexOf(PENDING_TASKS) + 1

/** The titles of the sections; those of a summary up to a point end differently. */
export function sectionTitles(isUpTo: boolean): readonly string[] {
  return (isUpTo ? BEFORE : WHOLE).map(({ title }) => title)
}

/** What belongs into each section, for the model. */
export function sectionContents(isUpTo: boolean): string {
  const lines = (isUpTo ? BEFORE : WHOLE).map(({ holds }, index) => `${index + 1}: ${holds}`)
  return ['What belongs where:', ...lines].join('\n')
}

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** How many there are, in a word. */
export const sectionCount = NUMBERS[WHOLE.length] ?? String(WHOLE.length)

/** Whether a text has every section of a whole summary. */
export function hasAllSections(text: string): boolean {
  return findSections(text, sectionTitles(false)).length === WHOLE.length
}

const CALLED = 'The model called a tool instead of writing a summary.'
const ENDS: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'compaction'])
const ERROR = /^\W*(?:api error\b|error:|\d{3} \{|\{\s*"type"\s*:\s*"error"|(?:overloaded|rate_limit|api)_error\b)/i

/** The summary in an answer. Throws, with what is wrong, when there is none that could stand for anything. */
export function readAnswer({ text, stop }: { readonly text: string; readonly stop: string }, isUpTo: boolean): string {
  const said = text.trim()
  if (said === '') throw new Error(stop === 'tool_use' ? CALLED : `The model gave no text (${stop}).`)
  if (!ENDS.has(stop) && stop !== 'tool_use' && stop !== 'max_turns') {
    throw new Error(`The summary was cut or refused (${stop}).`)
  }
  if (ERROR.test(said)) throw new Error(`The answer is an error and no summary: ${brief(said)}`)
  const summary = between(withoutDraft(said), ENDS.has(stop))
  if (summary === undefined) throw new Error(stop === 'tool_use' ? CALLED : `There is no <summary>: ${brief(said)}`)
  return checkSections(summary, isUpTo)
}

/** The draft is for the model alone. One that is quoted inside the summary is none. */
function withoutDraft(text: string): string {
  const [draft, summary] = [text.search(/<analysis>/i), text.search(/<summary>/i)]
  if (draft === -1 || summary < draft) return text
  const rest = text.slice(draft)
  const end = /<\/analysis>/i.exec(rest)
  return end ? rest.slice(end.index + end[0].length) : rest
}

/** A closing tag may be missing where the model came to its end all the same. */
function between(text: string, isWhole: boolean): string | undefined {
  const start = /<summary>/i.exec(text)
  if (!start) return undefined
  const rest = text.slice(start.index + start[0].length)
  const end = rest.toLowerCase().lastIndexOf('</summary>')
  if (end === -1 && !isWhole) return undefined
  const summary = end === -1 ? rest : rest.slice(0, end)
  return summary.trim() === '' ? undefined : summary
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** The summary as it is; throws when one of its sections is not there. */
export function checkSections(summary: string, isUpTo: boolean): string {
  const titles = sectionTitles(isUpTo)
  const found = new Set(findSections(summary, titles).map(({ number }) => number))
  const missing = titles.flatMap((title, index) => (found.has(index + 1) ? [] : [`${index + 1} ${title}`]))
  if (missing.length > 0) throw new Error(`The summary lacks sections: ${missing.join(', ')}.`)
  return summary.trim()
}

interface Section {
  readonly number: number
  readonly title: string
  /** Where its heading begins, where its text begins, and where that ends. */
  readonly start: number
  readonly body: number
  readonly end: number
}

/**
 * The sections of a summary by number and title, whatever marks stand around them. Looked for from the last one on: a
 * quoted message may hold headings of its own, and it stands before the end.
 */
export function findSections(text: string, titles: readonly string[]): readonly Section[] {
  const found: Section[] = []
  let end = text.length
  for (let number = titles.length; number >= 1; number--) {
    const title = titles[number - 1] as string
    const heading = [...text.slice(0, end).matchAll(headingOf(number, title))].at(-1)
    if (!heading) continue
    const start = heading.index
    found.unshift({ number, title, start, body: start + heading[0].length, end })
    end = start
  }
  return found
}

function headingOf(number: number, title: string): RegExp {
  const words = title.split(' ').map((word) => (word === 'and' ? '(?:and|&|\\+)' : word))
  return new RegExp(`^[ \\t>#*_-]*${number}[ \\t]*[.):]?[ \\t*_]*${words.join('[ \\t]+')}`, 'gim')
}
