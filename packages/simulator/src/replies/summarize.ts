import { countText } from '../measure/tokens.js'
import type { Block } from '../wire/messages.js'
import type { ModelTurn } from './model.js'
import {
  brief,
  type Call,
  isFrame,
  type Material,
  NOTHING,
  readConversation,
  type SectionKind,
  sectionKind,
} from './read-conversation.js'

/** Whether a turn asks for a summary: the API's own compaction, or a client in its last words. */
export function asksForSummary(turn: ModelTurn): boolean {
  return turn.purpose === 'compaction' || summaryRequest(turn) !== undefined
}

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
 * the request lists or in nine of its own; or records of the numbered parts that it shows elements for. The same
 * conversation gives the same text.
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

const FEWEST_TITLES = 2

/** The words with which a client asks for a summary: the last ones of the person, known by their form. */
function summaryRequest({ messages, source }: ModelTurn): Block | undefined {
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

const NUMBERED = /(?:^|[\s;,(*#])(\d{1,2})[.)][ \t]+((?:(?! \d{1,2}[.)] )[^\n;:(]){2,90})/gm
const DECORATION = /^[*_`"'\s[]+|[*_`"'\s\].,]+$/g
const AFTER_TITLE = /\s[—–-]\s|\.\s/

/** The titles of the sections that a text lists by number, wherever in a line they stand; the longest list counts. */
function sectionTitles(text: string): readonly string[] {
  let longest: string[] = []
  let titles: string[] = []
  for (const [, number, rest = ''] of text.matchAll(NUMBERED)) {
    if (Number(number) === 1) titles = []
    else if (Number(number) !== titles.length + 1) continue
    titles.push((rest.split(AFTER_TITLE)[0] ?? '').replace(DECORATION, ''))
    if (titles.length >= longest.length) longest = titles
  }
  return longest.filter((title) => title !== '')
}

const LIMIT =
  /\b(?:at most|up to|under|within|below|no more than|fewer than)\s+(?:about\s+)?(\d[\d,]*)\s+(tokens|words)/i
const TOKENS_A_WORD = 1.4

/** How many tokens a summary may take: what is given, or less where its request says so. */
function summaryBudget(request: string, given: number): number {
  const [, figure = '', unit] = LIMIT.exec(request) ?? []
  if (figure === '') return given
  const asked = Number(figure.replaceAll(',', '')) * (unit?.toLowerCase() === 'words' ? TOKENS_A_WORD : 1)
  return Math.min(given, asked)
}

const ELEMENT = /<(\w+) number="(\d{1,3})">…<\/\1>/g
const LONGEST_RECORD = 500

/** Whether a text asks for short records of numbered parts, by showing the elements to fill. */
function asksForRecords(text: string): boolean {
  return text.search(ELEMENT) !== -1
}

/** Each element with what the request itself tells of its part. */
function writeRecords(request: string): string {
  const records = [...request.matchAll(ELEMENT)].map(([, name, number]) => {
    const known = new RegExp(`^\\w+ ${number}\\b[^\\n]*\\n((?:[ \\t]+[^\\n]*\\n?)*)`, 'm').exec(request)?.[1] ?? ''
    return `<${name} number="${number}">${brief(known, LONGEST_RECORD) || 'Nothing is known of it.'}</${name}>`
  })
  return records.join('\n')
}

function writeSections(titles: readonly string[], material: Material, budget: number): string {
  return titles
    .map((title, index) => {
      const kind = sectionKind(title)
      const lines = fitLines(sectionLines(kind, material), budget * SHARES[kind])
      const items = lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`)
      return [`${index + 1}. ${title}:`, ...(items.length > 0 ? items : [NOTHING])].join('\n')
    })
    .join('\n\n')
}

function analyse({ prompts, answers, calls, errors, carried }: Material): string {
  const counted = `${prompts.length} messages of the person, ${answers.length} answers, ${calls.length} calls`
  const before = carried.size > 0 ? ' What an earlier summary says is carried over.' : ''
  return `In view: ${counted}, ${errors.length} signs of errors.${before}`
}

const LINE = 240
const QUOTE = 600
const LAST_REQUESTS = 3
const LAST_TEXTS = 3
const LAST_CALLS = 4

/** What there is to say in a section, the most recent last. */
function sectionLines(kind: SectionKind, material: Material): readonly string[] {
  const carried = material.carried.get(kind) ?? []
  switch (kind) {
    case 'messages':
      return material.prompts
    case 'files':
      return files(material, carried)
    case 'errors':
      return [...carried, ...material.errors]
    case 'pending':
      return pending(material)
    case 'intent':
      return intent(material, carried)
    case 'concepts':
      return [...carried.filter((line) => !line.startsWith(TOOLS)), ...concepts(material)]
    case 'solving':
    case 'completed':
      return [...carried, ...material.answers.slice(0, -1).map((words) => brief(words, LINE))]
    case 'current':
      return [...lastTexts(material), ...lastCalls(material)]
    case 'next':
      return next(material)
    default:
      return [...lastTexts(material), ...next(material)]
  }
}

/** What was asked for first outlives what was asked for since. */
function intent({ prompts }: Material, carried: readonly string[]): readonly string[] {
  const [first = prompts[0], ...others] = carried
  const recent = [...others, ...prompts].slice(-LAST_REQUESTS)
  return [...(first ? [first] : []), ...recent].map((words) => brief(words, LINE))
}

function files({ calls }: Material, carried: readonly string[]): readonly string[] {
  const touched = filesTouched(calls)
  const others = carried.filter((line) => !touched.has(line.split(' (')[0] as string))
  return [...others, ...[...touched].map(([path, uses]) => `${path} (${uses})`)]
}

const TOOLS = 'Tools used: '

function concepts({ calls }: Material): readonly string[] {
  const names = [...new Set(calls.map(({ name }) => name))]
  const endings = [...filesTouched(calls).keys()].flatMap((path) => /\.(\w{1,8})$/.exec(path)?.[1] ?? [])
  return [
    ...(names.length > 0 ? [`${TOOLS}${names.join(', ')}`] : []),
    ...(endings.length > 0 ? [`Kinds of files: ${[...new Set(endings)].join(', ')}`] : []),
  ]
}

function pending({ open, prompts, isAsked }: Material): readonly string[] {
  const last = prompts.at(-1)
  return [...open, ...(isAsked && last ? [`Not answered to the end yet: "${brief(last, QUOTE)}"`] : [])]
}

function lastTexts({ answers }: Material): readonly string[] {
  return answers.slice(-LAST_TEXTS).map((words) => brief(words, QUOTE))
}

function lastCalls({ calls }: Material): readonly string[] {
  return calls.slice(-LAST_CALLS).map(({ name, input }) => `Called ${name} ${brief(JSON.stringify(input) ?? '', LINE)}`)
}

function next({ prompts, answers }: Material): readonly string[] {
  const [asked, answered] = [prompts.at(-1), answers.at(-1)]
  return [
    ...(asked ? [`The person's last words: "${brief(asked, QUOTE)}"`] : []),
    ...(answered ? [`The last answer: "${brief(answered, QUOTE)}"`] : []),
  ]
}

const PATH_KEY = /path|file/i
const LOOKS_LIKE_PATH = /^[\w.~@:+-]*[/\\][\w.@/\\+-]*[\w@-]$/
const WRITTEN_KEY = /^(?:content|new_string|text)$/
const LONGEST_PATH = 200
const LONGEST_CODE = 100

interface Touched {
  readonly uses: Map<string, number>
  code: string
}

/** The files that calls name, those touched last at the end, each with what was done to it. */
function filesTouched(calls: readonly Call[]): ReadonlyMap<string, string> {
  const files = new Map<string, Touched>()
  for (const { name, input } of calls) {
    const fields = Object.entries((input ?? {}) as object).filter(([, value]) => typeof value === 'string')
    const written = fields.find(([key]) => WRITTEN_KEY.test(key))?.[1]
    for (const [key, value] of fields) {
      if (!isPath(key, value)) continue
      const file = files.get(value) ?? { uses: new Map(), code: '' }
      file.uses.set(name, (file.uses.get(name) ?? 0) + 1)
      if (written !== undefined && written !== value) file.code = brief(written, LONGEST_CODE)
      files.delete(value)
      files.set(value, file)
    }
  }
  return new Map([...files].map(([path, file]) => [path, describeUses(file)]))
}

function isPath(key: string, value: string): boolean {
  return value.length <= LONGEST_PATH && !/\s/.test(value) && (PATH_KEY.test(key) || LOOKS_LIKE_PATH.test(value))
}

function describeUses({ uses, code }: Touched): string {
  const counts = [...uses].map(([name, times]) => `${name} ${times}`).join(', ')
  return code === '' ? counts : `${counts}; wrote: ${code}`
}

/** The newest lines that fit into that many tokens, each whole and once, in their order. */
function fitLines(lines: readonly string[], budget: number): readonly string[] {
  let left = budget
  const newest = [...new Set(lines.toReversed())].filter((line) => {
    // No token is longer than its text, and nobody counts what is far too long.
    if (left <= 0 || line.length > left * 12) return false
    const cost = countText(line) + 2
    if (cost > left) return false
    left -= cost
    return true
  })
  return newest.reverse()
}
