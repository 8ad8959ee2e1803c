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
