import type { Said } from '../logs/logs.js'
import { absoluteDays, canMean, namesDay, relativeDates } from '../memory/dates.js'
import { evidenceOf, type Memory, statementOf } from '../memory/memory.js'
import { findSecret } from '../memory/secrets.js'
import {
  countNegations,
  coverage,
  findQuote,
  isNegated,
  isSameText,
  missingNames,
  sentencesOf,
  sharedOrder,
  similarity,
} from '../memory/statement.js'
import type { Tombstones } from './tombstones.js'
import { notTheirOwn } from './words-of-the-user.js'

/** What is known of the surroundings, against which a new memory is judged. */
export interface Surroundings {
  /** Whether a name is one that the repository itself shows: a file, a package, a script. */
  isInRepository(name: string): boolean
  /** The lines of the project's instruction files. */
  readonly instructions: readonly string[]
  readonly forgotten: Tombstones
}

/** Where the words of a memory stand. */
export interface Witness {
  readonly said: Said
  /** Messages of the user before it in its session, oldest first, and the next one behind it. */
  readonly earlier: readonly string[]
  readonly later?: string
}

/** The share of a statement that its evidence has to say too. */
const SUPPORTED = 0.6
/** From here on two statements count as one. */
const SAME = 0.8
const LONGEST_STATEMENT = 600
const LONGEST_BODY = 4_000
const LONGEST_QUOTE = 500

const MOMENTARY =
  /\b(?:currently|right now|at the moment|for now|in progress|work in progress|wip|is working on|are working on|working on (?:it|this|the)|next step|todo|to do next|this session|this conversation|this task|this pr|until (?:lunch|tonight|then|later|i['’]m back)|for today|later today|this (?:morning|afternoon|evening)|in a (?:minute|moment)|i(?:['’]m| am) (?:a bit |so |very |really )?(?:exhausted|tired|busy|sick|hungry|grumpy|late|in a hurry|on (?:a|the) (?:train|plane|bus|phone|call)|at the airport)|(?:is|are) (?:hanging|down|broken|stuck|failing|slow today))\b/i
const FIXED =
  /\b(?:(?:was|were|is|got|has been|have been) (?:fixed|resolved|patched|refactored|implemented|merged)|the (?:bug|error|crash|failure) (?:was|is|came)|root cause|stack ?trace|tests? (?:pass|fail)(?:es|ed)?|commit [0-9a-f]{7,40})\b/i
const COMMAND = /^(?:[$#>] |(?:npm|pnpm|yarn|git|cd|ls|cat|rm|sudo|docker|curl|pip|node|python3?) )/

/**
 * Why a memory that rests on words in a log must not be taken; `undefined` where nothing speaks against it. The same
 * rules hold whoever wrote it: an extraction, a dream, or the agent by its tool.
 */
export async function objectionTo(
  memory: Memory,
  witnesses: readonly (Witness | undefined)[],
  around: Surroundings,
): Promise<string | undefined> {
  return (
    objectionToForm(memory) ??
    (await objectionToSecret(memory)) ??
    objectionToEvidence(memory, witnesses) ??
    objectionToContent(memory, around)
  )
}

/** What any text of memory has to hold to, a person's own too: no secret ever gets in. */
export async function objectionToSecret({ name, description, body, source }: Memory): Promise<string | undefined> {
  const quotes = source.kind === 'session' ? source.evidence.map(({ quote }) => quote) : []
  const kind = await findSecret([name, description, body, ...quotes].join('\n'))
  return kind === undefined ? undefined : `it holds a secret (${kind}), and secrets are never kept`
}

function objectionToForm({ name, body, source }: Memory): string | undefined {
  const statement = statementOf({ body })
  if (name === '') return 'it has no name'
  if (statement.length < 8) return 'it says nothing'
  if (statement.length > LONGEST_STATEMENT || body.length > LONGEST_BODY) {
    return `it is too long: a memory is one fact, at most ${LONGEST_STATEMENT} characters, with why and how at most ${LONGEST_BODY}`
  }
  const quotes = source.kind === 'session' ? source.evidence.map(({ quote }) => quote) : []
  if ([statement, ...quotes].some((text) => COMMAND.test(text))) return 'it is a command, not a fact'
  if (source.kind !== 'session' || source.evidence.length === 0) return 'it has no quote that shows where it comes from'
  const long = source.evidence.find(({ quote }) => quote.length > LONGEST_QUOTE || quote.trim().length < 4)
  return long && `a quote has 4 to ${LONGEST_QUOTE} characters`
}

function objectionToEvidence(memory: Memory, witnesses: readonly (Witness | undefined)[]): string | undefined {
  for (const [index, { quote, by }] of evidenceOf(memory).entries()) {
    const witness = witnesses[index]
    const place = witness && findQuote(witness.said.text, quote)
    if (!witness || !place || witness.said.by !== by) return `the quote "${quote}" is not in the log that it names`
    if (by !== 'user') {
      return `a memory rests on the user's own words, and these are ${by === 'tool' ? 'output of a tool' : "the assistant's"}`
    }
    const objection = notTheirOwn(witness.said.text, place, witness)
    if (objection !== undefined) return objection
  }
  return objectionToStatement(memory, witnesses as readonly Witness[])
}

const SMALL_WORDS =
  /\b(?:rarely|seldom|hardly|barely|stopped|used to|quit|except|unless|only|if|for (?:this|these|small|short|simple|now)|some(?:times)?|almost|until)\b/giu
const PREFERRED = /(\p{L}[\p{L}\p{N}-]*)\s+(?:over|instead of|rather than)\s+(\p{L}[\p{L}\p{N}-]*)/giu

/** All that the file says has to be what the evidence says: no more, not less of a condition, and not the contrary. */
function objectionToStatement(memory: Memory, witnesses: readonly Witness[]): string | undefined {
  const statement = statementOf(memory)
  const quotes = evidenceOf(memory).map(({ quote }) => quote)
  const context = witnesses.map(({ said }, index) => sentencesAround(said.text, quotes[index] ?? '', 1)).join('\n')
  const own = witnesses.map(({ said }, index) => sentencesAround(said.text, quotes[index] ?? '', 0)).join('\n')
  if (coverage(withoutDays(statement), context) < SUPPORTED) return 'the quote does not say what the statement says'
  if (isNegated(statement) !== isNegated(context) && isNegated(statement) !== isNegated(quotes.join('\n'))) {
    return 'the statement and the quote do not agree in what is and what is not'
  }
  const dropped = (own.match(SMALL_WORDS) ?? []).find((word) => !statement.toLowerCase().includes(word.toLowerCase()))
  if (dropped !== undefined) return `the user said '${dropped.toLowerCase()}', and the statement leaves it out`
  const turned = [...statement.matchAll(PREFERRED)].find(
    ([, one = '', other = '']) =>
      context.toLowerCase().lastIndexOf(other.toLowerCase()) < context.toLowerCase().indexOf(one.toLowerCase()),
  )
  if (turned) return 'the statement turns round what the user prefers'
  if (MOMENTARY.test(own)) return 'it is the state of a moment, and will be wrong soon'
  return (
    objectionToDates(statement, context, witnesses) ??
    objectionToNames(statement, context, witnesses) ??
    objectionToRest(memory, witnesses)
  )
}

function withoutDays(text: string): string {
  // Days are looked at by themselves: what was 'tomorrow' is a date now.
  return text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, ' ')
}

function objectionToDates(statement: string, context: string, witnesses: readonly Witness[]): string | undefined {
  const days = absoluteDays(statement)
  const words = relativeDates(context)
  const canBe = (day: string) => witnesses.some(({ said }) => words.some((each) => canMean(each, said.time, day)))
  const wrong = days.find((day) => !namesDay(context, day) && !canBe(day))
  if (wrong === undefined) return undefined
  return words.length > 0 ? `${wrong} is not what '${words[0]}' meant on the day it was said` : `nobody said ${wrong}`
}

function objectionToNames(text: string, context: string, witnesses: readonly Witness[]): string | undefined {
  const days = absoluteDays(text)
  const words = days.length > 0 ? [...relativeDates(context), 'a day'] : relativeDates(context)
  const said = `${context}\n${witnesses.map(({ said: { text: whole } }) => whole).join('\n')}`
  const missing = missingNames(text, said).filter(
    (name) => !days.some((day) => day.includes(name) || name.includes(day)) && !isMonthOrYear(name, words),
  )
  return missing.length > 0 ? `nobody said ${missing.map((name) => `'${name}'`).join(', ')}` : undefined
}

/** The share of a reason or a hint that has to be said in the message itself. */
const SAID_SOMEWHERE = 0.5

/** Why and how are read by the model too: they may say nothing that was not said. */
function objectionToRest(memory: Memory, witnesses: readonly Witness[]): string | undefined {
  const said = `${statementOf(memory)}\n${witnesses.map(({ said: { text } }) => text).join('\n')}`
  const rest = memory.body.slice(statementOf(memory).length).replace(/\*\*(?:Why|How to apply):?\*\*:?/gi, '. ')
  const added = sentencesOf(rest).find(({ text }) => !isSaid(text, said))?.text
  return added === undefined ? undefined : `nobody said "${added.slice(0, 120)}"; leave out what was not said`
}

/** Whether a text says nothing but what another one says. */
export function isSaid(text: string, said: string): boolean {
  return coverage(withoutDays(text), said) >= SAID_SOMEWHERE && missingNames(text, said).length === 0
}

/** A date written out in words, where something relative was said. */
function isMonthOrYear(name: string, words: readonly string[]): boolean {
  return (
    words.length > 0 &&
    /^(?:20\d\d|\d{1,2}(?:st|nd|rd|th)?|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/i.test(
      name,
    )
  )
}

/** The sentences that a quote stands in, and so many before and behind them. */
function sentencesAround(text: string, quote: string, around: number): string {
  const place = findQuote(text, quote)
  if (!place) return quote
  const sentences = sentencesOf(text)
  const first = sentences.findLastIndex(({ start }) => start <= place.start)
  const last = sentences.findLastIndex(({ start }) => start < place.end)
  return sentences
    .slice(Math.max(0, first - around), last + 1 + around)
    .map((each) => each.text)
    .join(' ')
}

function objectionToContent(memory: Memory, around: Surroundings): string | undefined {
  const statement = statementOf(memory)
  const relative = relativeDates(statement)[0]
  if (relative !== undefined) return `'${relative}' is true on one day only: write the date in full, as 2026-11-18`
  if (MOMENTARY.test(statement)) return 'it is the state of a task, and will be wrong soon'
  if (memory.type === 'project' && FIXED.test(statement))
    return 'it is the result of work, which the code and its history show'
  if (memory.type === 'project' || memory.type === 'reference') {
    const names = namesOfCode(statement)
    if (names.length > 0 && names.every(around.isInRepository))
      return `the repository itself shows it (${names.join(', ')})`
  }
  const known = around.instructions.find((line) => similarity(line, statement) >= SAME)
  if (known !== undefined) return `the instructions of the project say it already: "${known.trim().slice(0, 80)}"`
  return around.forgotten.refuses(memory)
}

const PATHS = /`[^`\n]+`|(?:[\w@.-]+\/)+[\w.-]+|\b[\w-]+\.[a-z]{1,4}\b/g
const USED =
  /\b(?:uses?|using|written (?:in|with)|built (?:with|on)|depends? on|based on|runs? on|is in|are in|lives? in|goes through|defined in|located (?:in|at)|configured in)\s+(?:the\s+)?`?([@\w./-]+)/gi

/** Files and packages that a statement is about. */
function namesOfCode(statement: string): readonly string[] {
  const used = [...statement.matchAll(USED)].map(([, name = '']) => name)
  const names = [...(statement.match(PATHS) ?? []), ...used].map((name) =>
    name.replace(/`/g, '').replace(/[.,:;]+$/, ''),
  )
  return [...new Set(names.filter((name) => name !== ''))]
}

/** A memory in use that says the same: the same words that tell something, in the same order, with the same 'not'. */
export function sameAs(memory: Pick<Memory, 'id' | 'body'>, others: Iterable<Memory>): Memory | undefined {
  const statement = statementOf(memory)
  for (const other of others) {
    const text = statementOf(other)
    if (other.id === memory.id) continue
    if (isSameText(text, statement) || saysTheSame(text, statement)) return other
  }
  return undefined
}

function saysTheSame(one: string, other: string): boolean {
  if (similarity(one, other) < 1 || countNegations(one) !== countNegations(other)) return false
  if (missingNames(one, other).length + missingNames(other, one).length > 0) return false
  return sharedOrder(one, other) >= SAME && sharedOrder(other, one) >= SAME
}
