import type { Block, Message } from '../wire/messages.js'

/** What a summary can be made of. All lists run from the oldest to the newest. */
export interface Material {
  /** The person's words. */
  readonly prompts: string[]
  /** The model's words. */
  readonly answers: string[]
  readonly calls: Call[]
  readonly errors: string[]
  /** What summaries before this one say. */
  readonly carried: Map<SectionKind, readonly string[]>
  /** Todos that are not done. */
  open: readonly string[]
  /** Whether the person spoke last. */
  isAsked: boolean
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

const QUOTED = /<user_message\b[^>\n]*>\n([\s\S]*?)\n<\/user_message>/g
const INDEX = /^\[[^\]\n]{1,80}\] /
const NOTE =
  /^\s*<(?:restored|system[-_]|reminder|notes?|recall|memor|attachment|hook|skill|instructions?)[\w-]*[\s>]|^The (?:conversation|session) (?:has begun|began) before/i

/** Reads what a summary is made of out of a conversation, up to the words that ask for the summary. */
export function readConversation(messages: readonly Message[], request: Block | undefined): Material {
  const found: Material = {
    prompts: [],
    answers: [],
    calls: [],
    errors: [],
    carried: new Map(),
    open: [],
    isAsked: false,
  }
  for (const { role, content } of messages) {
    const blocks = request && content.includes(request) ? content.slice(0, content.indexOf(request)) : content
    blocks.forEach((block, index) => {
      if (block.type === 'compaction') carry(found, String(block.content ?? ''))
      else if (role === 'assistant') readAnswer(found, block)
      else if (block.type === 'tool_result') readResult(found, block)
      else if (role === 'user' && block.type === 'text') readWords(found, String(block.text), blocks[index - 1])
    })
  }
  return found
}

function readAnswer(found: Material, block: Block): void {
  const written = block.type === 'text' ? writtenCall(String(block.text)) : undefined
  if (written) found.calls.push(written)
  else if (block.type === 'text' && String(block.text).trim() !== '') {
    found.answers.push(String(block.text).trim())
    found.isAsked = false
  } else if (block.type === 'tool_use') {
    const { id, name, input } = block
    found.calls.push({ id: String(id), name: String(name), input })
    found.open = openTodos(input) ?? found.open
  }
}

function readResult(found: Material, block: Block): void {
  const call = found.calls.findLast(({ id }) => id === block.tool_use_id)
  const lines = errorLines(plainText(block.content), block.is_error === true)
  found.errors.push(...lines.map((line) => (call ? `${call.name}: ${line}` : line)))
}

/** Words in the role of the user are also what stands for an earlier part, and notes, which are wrapped in a tag. */
function readWords(found: Material, text: string, before: Block | undefined): void {
  const written = writtenResult(text)
  const quoted = [...text.matchAll(QUOTED)].map(([, words = '']) => words)
  if (written) found.errors.push(...errorLines(written.text, written.isError))
  else if (quoted.length > 0) found.prompts.push(...quoted)
  else if (isFrame(text)) carry(found, text.split('\n').slice(1).join('\n'))
  else if (before?.type === 'text' && isFrame(String(before.text))) carry(found, text, true)
  else if (readSummary(text)) carry(found, text)
  else if (NOTE.test(text)) found.open = openTodos(text) ?? found.open
  else if (text.trim() !== '' && !isIndex(text)) {
    found.prompts.push(text.trim())
    found.isAsked = true
  }
}

function carry({ carried, prompts }: Material, text: string, isWhole = false): void {
  const sections = readSummary(text) ?? new Map(isWhole ? [['completed' as const, text.split('\n')]] : [])
  for (const [kind, items] of sections) {
    if (kind === 'messages') prompts.push(...items)
    else carried.set(kind, [...(carried.get(kind) ?? []), ...items.filter((item) => item.trim() !== '')])
  }
}

/** A list of names by where they stand is for a search, not for a summary. */
function isIndex(text: string): boolean {
  const lines = text.trim().split('\n').slice(1)
  return lines.length > 0 && lines.every((line) => INDEX.test(line))
}

const HEADING = /^[#* ]{0,5}\d{1,2}[.)] +([^\n]{2,90}?)[:*\s]*$/
const FEWEST_SECTIONS = 5
/** Stands where a section has nothing to say. */
export const NOTHING = '- Nothing.'

/** The sections of a text that is a summary in numbered ones; nothing for any other text. */
function readSummary(text: string): ReadonlyMap<SectionKind, readonly string[]> | undefined {
  const sections = new Map<SectionKind, string[]>()
  let items: string[] = []
  for (const line of text.split('\n')) {
    const title = HEADING.exec(line)?.[1]
    const kind = title === undefined ? 'other' : sectionKind(title)
    if (kind !== 'other') {
      items = sections.get(kind) ?? []
      sections.set(kind, items)
    } else if (line.trim() === '' || line === NOTHING) continue
    else if (line.startsWith('- ')) items.push(line.slice(2))
    else if (line.startsWith('  ') && items.length > 0) items.push(`${items.pop()}\n${line.slice(2)}`)
    else items.push(line.trim())
  }
  return sections.size >= FEWEST_SECTIONS ? sections : undefined
}

/** What a section is about, whatever it is called. */
export type SectionKind =
  | 'messages'
  | 'intent'
  | 'concepts'
  | 'errors'
  | 'files'
  | 'solving'
  | 'pending'
  | 'completed'
  | 'context'
  | 'next'
  | 'current'
  | 'other'

/** The first that fits counts: 'context for continuing work' is no work. */
const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  ['messages', /messages|user said/i],
  ['intent', /intent|request|goal/i],
  ['concepts', /concept|technolog/i],
  ['errors', /error|fix/i],
  ['files', /file|code/i],
  ['solving', /problem|solv/i],
  ['pending', /pending|open|todo|task/i],
  ['completed', /complet|done|finished/i],
  ['context', /context|continu/i],
  ['next', /next|step/i],
  ['current', /current|work/i],
]

/** What a section with that title is about. */
export function sectionKind(title: string): SectionKind {
  return KINDS.find(([, words]) => words.test(title))?.[0] ?? 'other'
}

const FRAME =
  /^\s*(?:this|the) (?:session|conversation)\b[^.]{0,60}\b(?:goes on|continue[sd]?|continuing|resume[sd]?)\b/i

/** Whether a text opens what stands for an earlier part: its own words say that the session goes on. */
export function isFrame(text: string): boolean {
  return FRAME.test(text)
}

const CALL = /^\[called (\S+) with (\{[\s\S]*\})\]$/
const RESULT = /^\[(result|failure) of [^\]\n]+\]\n([\s\S]*)$/

/** A call that stands in a conversation as text, since the request has no tools to go with it. */
function writtenCall(text: string): Call | undefined {
  const [, name, input] = CALL.exec(text.trim()) ?? []
  if (name === undefined || input === undefined) return undefined
  try {
    return { id: '', name, input: JSON.parse(input) }
  } catch {
    return undefined
  }
}

/** A result that does. */
function writtenResult(text: string): { readonly text: string; readonly isError: boolean } | undefined {
  const [, kind, words] = RESULT.exec(text) ?? []
  return words === undefined ? undefined : { text: words, isError: kind === 'failure' }
}

const BOX = /^\s*(?:[-*] )?\[([ >~])\] (.+)$/gm
const CLOSED_BOX = /^\s*(?:[-*] )?\[x\] /im

/** What is not done on the todo list that an input or a text holds; `undefined` where it holds none. */
function openTodos(source: unknown): readonly string[] | undefined {
  if (typeof source === 'string') return fromText(source)
  const todos = typeof source === 'object' && source !== null && 'todos' in source ? source.todos : undefined
  if (!Array.isArray(todos)) return undefined
  return todos.flatMap((todo) => {
    const { content, status } = (todo ?? {}) as { readonly content?: unknown; readonly status?: unknown }
    return typeof content === 'string' && status !== 'completed' ? [`${content} (${status ?? 'open'})`] : []
  })
}

function fromText(text: string): readonly string[] | undefined {
  const open = [...text.matchAll(BOX)].map(
    ([, mark, words]) => `${words} (${mark === ' ' ? 'pending' : 'in_progress'})`,
  )
  return open.length > 0 || CLOSED_BOX.test(text) ? open : undefined
}

const LOOKS_WRONG =
  /error|exception|\bfail(?:ed|ure|s)?\b|\bfatal\b|\bpanic|\brefused\b|\bdenied\b|traceback|\bE[A-Z]{4,}\b/i
const LOOKS_WELL = /\b(?:0|no|without) (?:errors?|failures?|failed)\b/i
const MOST_LINES = 2
const LONGEST = 200

/** The text of a result, whatever its form. */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = (content ?? []) as readonly Block[]
  return blocks.map((block) => (block.type === 'text' ? String(block.text) : `[${block.type}]`)).join('\n')
}

/** The first lines of a result that tell of something that went wrong. */
function errorLines(text: string, isError: boolean): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const wrong = lines.filter((line) => LOOKS_WRONG.test(line) && !LOOKS_WELL.test(line))
  const telling = wrong.length > 0 || !isError ? wrong : lines
  return telling.slice(0, MOST_LINES).map((line) => brief(line, LONGEST))
}

/** A text on one line, cut where it is long. */
export function brief(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest || text.length > longest * 4 ? `${line.slice(0, longest)}…` : line
}
