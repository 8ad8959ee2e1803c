import type { Block, Message } from '../wire/messages.js'
import {
  areAlike,
  contradict,
  linesOf,
  overlap,
  readListedLine,
  type Statement,
  toStatement,
  wordsOf,
} from './compare-statements.js'
import { type Fact, factIn } from './durable-facts.js'
import type { ModelTurn, ReplyBlock } from './model.js'
import { ownSentences } from './own-words.js'
import { isFrame } from './read-conversation.js'

const TOOL = 'memory'
const SOURCE = 'extract_memories'
/** More than this in one go is a text about something, not what a person tells of themselves. */
const MOST = 12

/** Whether a turn asks for what is worth remembering of a conversation. */
export function asksForMemories({ source, tools }: ModelTurn): boolean {
  return source === SOURCE && tools.some(({ name }) => name === TOOL)
}

/** Memories without a language model: by rule, from the person's own sentences, in their words. */
export function extractMemories(turn: ModelTurn): ReplyBlock | readonly ReplyBlock[] {
  const place = placeOfTask(turn.messages)
  const task = taskIn(turn.messages[place])
  if (task === undefined) return 'There is no task here that says since when to look.'
  if (turn.messages.slice(place + 1).some(({ role }) => role === 'assistant'))
    return 'That is all that is worth keeping.'
  const said = saidSince(turn.messages.slice(0, place + 1), task)
  const today = todayIn(turn, task)
  const found = ownSentences(said).flatMap((sentence) => factIn(sentence, today) ?? [])
  const known = knownIn(task)
  const calls = newest(found)
    .filter(({ statement }) => !known.some((each) => areAlike(each.statement, toStatement(statement))))
    .slice(-MOST)
    .flatMap(writeCalls(known))
  return calls.length > 0 ? calls : 'Nothing was said that is worth keeping.'
}

function placeOfTask(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => taskIn(message) !== undefined)
}

function taskIn(message: Message | undefined): string | undefined {
  if (message?.role !== 'user') return undefined
  return textsOf(message).findLast((text) => text.includes('<since>') && text.includes('<known>'))
}

/** What a person has typed since then: no results, no notes of the runtime, no summary, not the task itself. */
function saidSince(messages: readonly Message[], task: string): readonly string[] {
  const typed = messages.flatMap((message) =>
    message.role === 'user' ? textsOf(message).filter((text) => text !== task && !isNote(text)) : [],
  )
  const since = flat(linesOf(task, 'since').join(' ')).replace(/(?:…|\.{3})$/, '')
  const first = typed.findIndex((text) => since !== '' && flat(text).startsWith(since))
  // What the task names may be folded away: then all that is left was said later.
  return typed.slice(Math.max(0, first))
}

function isNote(text: string): boolean {
  return /^\s*<[a-z][\w-]*[\s>]/i.test(text) || isFrame(text) || text.trim() === ''
}

const TODAY = /\btoday(?:['’]s date)?(?: is|:)\s*(?:\w+day,? )?(\d{4}-\d{2}-\d{2})/i

/** The date, where the task, the system prompt or a note of the runtime tells it. */
function todayIn({ system, messages }: ModelTurn, task: string): string | undefined {
  const notes = messages.flatMap((message) =>
    message.role === 'assistant' ? [] : textsOf(message).filter((text) => message.role === 'system' || isNote(text)),
  )
  const told = [...textsOf({ content: system }), ...notes, task]
  return told.flatMap((text) => TODAY.exec(text)?.[1] ?? []).at(-1)
}

/** Of statements that contradict each other in one conversation only the last is meant, and none is written twice. */
function newest(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter(({ type, statement }, index) => {
    const own = toStatement(statement)
    return !facts.slice(index + 1).some((later) => {
      const other = toStatement(later.statement)
      return areAlike(own, other) || (later.type === type && (contradict(own, other) || isReplaced(own, other)))
    })
  })
}

interface Known {
  readonly path: string
  readonly type: string | undefined
  readonly statement: Statement
}

function knownIn(task: string): readonly Known[] {
  return linesOf(task, 'known').flatMap((line) => {
    const listed = readListedLine(line)
    return listed ? [{ path: listed.path, type: listed.type, statement: toStatement(listed.words) }] : []
  })
}

const PERSON = '/memories/person/'

/** A file for a fact, and a word about the one that it takes the place of. */
function writeCalls(known: readonly Known[]): (fact: Fact) => readonly ReplyBlock[] {
  const taken = new Set(known.map(({ path }) => path))
  return (fact) => {
    const path = freePath(fact, taken)
    taken.add(path)
    const own = toStatement(fact.statement)
    const old = known
      .filter((each) => each.path.startsWith(PERSON) === fact.isPersonal && (each.type ?? fact.type) === fact.type)
      .filter(({ statement }) => own.isChange && (contradict(statement, own) || isReplaced(statement, own)))
      .sort((a, b) => overlap(b.statement.topic, own.topic) - overlap(a.statement.topic, own.topic))[0]
    return [
      call({ command: 'create', path, file_text: fileFor(fact) }),
      ...(old
        ? [call({ command: 'supersede', path: old.path, by: path, reason: `The user said: ${fact.quote}` })]
        : []),
    ]
  }
}

/** From here on a statement that tells of a change is about the same thing as an older one. */
const SAME_THING = 0.3

function isReplaced(old: Statement, by: Statement): boolean {
  return by.isChange && !old.isChange && overlap(old.topic, by.topic) >= SAME_THING
}

function call(input: Readonly<Record<string, string>>): ReplyBlock {
  return { type: 'tool_use', name: TOOL, input }
}

const NAME_WORDS = 8
const DESCRIPTION = 110

/** The form that the task describes. JSON's quotation marks are YAML's too. */
function fileFor({ type, statement, quote, why, when }: Fact): string {
  const description = statement.length > DESCRIPTION ? `${statement.slice(0, DESCRIPTION - 1).trimEnd()}…` : statement
  const fields = { name: nameOf(statement), description, type, quote }
  const head = Object.entries(fields).map(([field, value]) =>
    field === 'type' ? `type: ${value}` : `${field}: ${JSON.stringify(value)}`,
  )
  const notes = [...(why ? [`**Why:** ${why}`] : []), ...(when ? [`**How to apply:** ${when}`] : [])]
  return `---\n${head.join('\n')}\n---\n${statement}${notes.length > 0 ? `\n\n${notes.join('\n')}` : ''}\n`
}

function nameOf(statement: string): string {
  const words = statement.replace(/[.!。！]+$/, '').split(/\s+/)
  return words.slice(0, NAME_WORDS).join(' ').slice(0, 60)
}

const SLUG = 48

function freePath({ statement, isPersonal }: Fact, taken: ReadonlySet<string>): string {
  const words = wordsOf(statement.normalize('NFKD').replace(/\p{M}/gu, '')).filter(
    (word) => !/^(?:the|user|s|team|a|an|is)$/.test(word),
  )
  const slug =
    words
      .join('-')
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, SLUG)
      .replace(/^-+|-+$/g, '') || 'memory'
  for (let number = 1; ; number++) {
    const path = `${isPersonal ? PERSON : '/memories/'}${slug}${number === 1 ? '' : `-${number}`}.md`
    if (!taken.has(path)) return path
  }
}

function textsOf({ content }: { readonly content: readonly Block[] }): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
