import { stopWords } from './word-lists.js'
import { partsOf, type Word, wordsOf } from './words.js'

/** What a query asks for. */
export interface Asked {
  /** The words that count, each once. */
  readonly words: readonly AskedWord[]
  /** The speakers that it names, or means by 'I'. */
  readonly speakers: ReadonlySet<string>
  /** Whether it names a date that the day belongs to; nothing where it names none. */
  readonly isAsked?: (day: number) => boolean
}

export interface AskedWord {
  /** As it is told. */
  readonly stem: string
  /** Of other writing than Latin: what a text has that has the word inside of others. */
  readonly parts: readonly string[]
}

/** Speakers with the words of their names. */
export type Speakers = Iterable<readonly [speaker: string, { readonly name: readonly Word[] }]>

const FIRST_PERSON = new Set(['i', 'me', 'my', 'mine', 'myself', 'we', 'our', 'ours', 'ourselves'])

/** Reads a query: its words, whose words they are, and of when. */
export function readQuery(query: string, speakers: Speakers, user: string | undefined): Asked {
  const said = wordsOf(query)
  const texts = new Set(said.map(({ text }) => text))
  const named = new Set<string>()
  const names = new Set<string>()
  for (const [speaker, { name }] of speakers) {
    const words = name.filter(({ text }) => texts.has(text) && isName(text, speaker, query))
    if (words.length > 0) named.add(speaker)
    for (const { text } of words) names.add(text)
  }
  if (user !== undefined && said.some(({ text }) => FIRST_PERSON.has(text))) named.add(user)
  const isAsked = datesIn(query)
  const asked = wordsAsked(said.filter(({ text }) => !names.has(text)))
  return {
    // A query that is a name only asks for what is said of it.
    words: asked.length > 0 ? asked : wordsAsked(said),
    speakers: named,
    ...(isAsked && { isAsked }),
  }
}

/**
 * Names have a capital, so that a role such as 'user' is no name and stays a word of the query. A name that is a common
 * word too counts where the query gives it one as well.
 */
function isName(word: string, speaker: string, query: string): boolean {
  const written = speaker.split(/\s+/).find((part) => part.toLowerCase().startsWith(word))
  if (written === undefined || /^\p{Ll}/u.test(written)) return false
  return !stopWords.has(word) || query.split(/[^\p{L}]+/u).includes(written)
}

function wordsAsked(words: readonly Word[]): readonly AskedWord[] {
  const asked = new Map(words.filter(({ stem }) => stem !== '').map((word) => [word.stem, word]))
  return [...asked].map(([stem, word]) => ({ stem, parts: partsOf(word) }))
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec'
/** May and March are words too: alone a month has a capital, and beside a number it may be written in any way. */
const ALONE = /* @__PURE__ */ new RegExp(`(?<![\\p{L}\\d])(${MONTH})(?![\\p{L}\\d])(?:,? (\\d{4})(?!\\d))?`, 'gu')
const DAY_FIRST = /* @__PURE__ */ new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b(?:,? (\\d{4})(?!\\d))?`,
  'giu',
)
const MONTH_FIRST = /* @__PURE__ */ new RegExp(
  `\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,? (\\d{4})(?!\\d))?`,
  'giu',
)
const ASKS_LEAVE = /^\s*May\b(?!,? \d{4})/
const NUMBERS = /(?<!\d)(\d{4})-(\d\d)(?:-(\d\d))?(?!\d)/g

interface AskedDate {
  readonly year?: number
  readonly month: number
  readonly day?: number
}

function datesIn(query: string): Asked['isAsked'] {
  const dates: AskedDate[] = []
  /** What was read leaves the query, so that a date is not read once more as its month. */
  const read = (text: string, pattern: RegExp, date: (found: readonly (string | undefined)[]) => AskedDate) =>
    text.replace(pattern, (...found: (string | undefined)[]) => {
      dates.push(date(found))
      return ' '
    })
  const left = [
    [NUMBERS, ([, year, month, day]) => dateOf(year, Number(month), day)] as const,
    [DAY_FIRST, ([, day, month, year]) => dateOf(year, monthOf(month), day)] as const,
    [MONTH_FIRST, ([, month, day, year]) => dateOf(year, monthOf(month), day)] as const,
  ] satisfies readonly (readonly [RegExp, (found: readonly (string | undefined)[]) => AskedDate])[]
  const rest = left.reduce((text, [pattern, date]) => read(text, pattern, date), query)
  read(rest.replace(ASKS_LEAVE, ''), ALONE, ([, month, year]) => dateOf(year, monthOf(month), undefined))
  if (dates.length === 0) return undefined
  return (day) => {
    const date = new Date(day * DAY)
    return dates.some(
      (asked) =>
        asked.month === date.getUTCMonth() + 1 &&
        (asked.year ?? date.getUTCFullYear()) === date.getUTCFullYear() &&
        (asked.day ?? date.getUTCDate()) === date.getUTCDate(),
    )
  }
}

const DAY = 86_400_000

/** The day of a time, counted from 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY)
}

function monthOf(name = ''): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

function dateOf(year: string | undefined, month: number, day: string | undefined): AskedDate {
  return { ...(year !== undefined && { year: Number(year) }), month, ...(day !== undefined && { day: Number(day) }) }
}
