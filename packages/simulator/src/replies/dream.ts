import type { Block, Message } from '../wire/messages.js'
import {
  areAlike,
  contradict,
  isMomentary,
  linesOf,
  missing,
  overlap,
  readListedLine,
  type Statement,
  toStatement,
  wordsOf,
} from './compare-statements.js'
import type { ModelTurn, ReplyBlock } from './model.js'

const TOOL = 'memory'
const SOURCE = 'dream'
/** Files that are looked at in one dream. */
const MOST_FILES = 20
/** From here on two lines are worth a look; what is done is decided on the files. */
const LOOKS_ALIKE = 0.3
/** The share of all memories that one dream archives at most. */
const ARCHIVED = 1 / 5

/** Whether a turn asks for long-term memory to be consolidated. */
export function asksForDream({ source, tools }: ModelTurn): boolean {
  return source === SOURCE && tools.some(({ name }) => name === TOOL)
}

/** A dream without a language model: looks at what is alike, then merges, supersedes and archives by rule, then tells. */
export function dream({ messages }: ModelTurn): ReplyBlock | readonly ReplyBlock[] {
  const place = messages.findLastIndex((message) => taskIn(message) !== undefined)
  const task = taskIn(messages[place])
  if (task === undefined) return 'There is no list of memories here, so there is nothing to do.'
  const since = messages.slice(place + 1)
  const turns = since.filter(({ role }) => role === 'assistant').length
  if (turns === 0) return lookAt(linesOf(task, 'memories'))
  return turns === 1 ? consolidate(filesIn(since), linesOf(task, 'memories').length) : tell(since)
}

function taskIn(message: Message | undefined): string | undefined {
  if (message?.role !== 'user') return undefined
  return textsOf(message).findLast((text) => text.includes('<memories>'))
}

function lookAt(lines: readonly string[]): ReplyBlock | readonly ReplyBlock[] {
  const listed = lines.flatMap((line) => {
    const read = readListedLine(line)
    return read ? [{ ...read, statement: toStatement(read.words) }] : []
  })
  const near = new Set<string>()
  listed.forEach((one, index) => {
    if (isMomentary(one.words)) near.add(one.path)
    for (const other of listed.slice(index + 1)) {
      if (homeOf(one.path) !== homeOf(other.path) || !lookAlike(one.statement, other.statement)) continue
      near.add(one.path).add(other.path)
    }
  })
  if (near.size === 0) return 'nothing to do: no two memories are alike, and none is momentary.'
  return [...near].slice(0, MOST_FILES).map((path) => call({ command: 'view', path }))
}

function lookAlike(one: Statement, other: Statement): boolean {
  return overlap(one.topic, other.topic) >= LOOKS_ALIKE || areAlike(one, other) || contradict(one, other)
}

function homeOf(path: string): 'person' | 'project' {
  return path.startsWith('/memories/person/') ? 'person' : 'project'
}

/** A memory as the tool has shown it. */
interface SeenFile {
  readonly path: string
  readonly text: string
  readonly type: string
  readonly date: string
  readonly isPinned: boolean
  /** The fact itself, as it stands in the file. */
  readonly words: string
  readonly statement: Statement
}

function consolidate(files: readonly SeenFile[], count: number): ReplyBlock | readonly ReplyBlock[] {
  const done = new Set<string>()
  const calls: ReplyBlock[] = []
  const free = () => files.filter(({ path, isPinned }) => !done.has(path) && !isPinned)
  const momentary = files.filter(({ type, words, isPinned }) => type === 'project' && !isPinned && isMomentary(words))
  for (const { path, words } of momentary.slice(0, Math.max(1, Math.floor(count * ARCHIVED)))) {
    done.add(path)
    calls.push(call({ command: 'delete', path, reason: `It tells of a moment that is over: ${brief(words)}` }))
  }
  for (const one of files) {
    for (const other of free()) {
      if (one === other || !free().includes(one) || !belongTogether(one, other)) continue
      if (contradict(one.statement, other.statement)) calls.push(...supersede(one, other, done))
    }
  }
  for (const one of [...files].sort(newestFirst)) {
    const doubles = free().filter(
      (other) => other !== one && belongTogether(one, other) && areAlike(one.statement, other.statement),
    )
    if (!free().includes(one) || doubles.length === 0) continue
    calls.push(...merge([one, ...doubles], done))
  }
  if (calls.length > 0) return calls
  return 'There is nothing to do: what looks alike says different things. All files stay as they are.'
}

/** What is of another type, or of another home, says another thing. */
function belongTogether(one: SeenFile, other: SeenFile): boolean {
  return one.type === other.type && homeOf(one.path) === homeOf(other.path)
}

function newestFirst(one: SeenFile, other: SeenFile): number {
  return other.date.localeCompare(one.date)
}

/** The newer word counts. On one day it is the one that tells of a change; where neither does, nobody knows. */
function supersede(one: SeenFile, other: SeenFile, done: Set<string>): readonly ReplyBlock[] {
  const isSameDay = one.date === other.date
  if (isSameDay && one.statement.isChange === other.statement.isChange) return []
  const isOlder = isSameDay ? other.statement.isChange : one.date < other.date
  const [old, fresh] = isOlder ? [one, other] : [other, one]
  done.add(old.path)
  const reason = `${fresh.date || 'Later'}: "${brief(fresh.words)}" takes the place of "${brief(old.words)}".`
  return [call({ command: 'supersede', path: old.path, by: fresh.path, reason })]
}

/** The one that says most stays, and is given what only others say, to the letter. */
function merge(files: readonly SeenFile[], done: Set<string>): readonly ReplyBlock[] {
  const said = ({ words }: SeenFile) => new Set(wordsOf(words))
  const [first, ...rest] = files as [SeenFile, ...SeenFile[]]
  const survivor = rest.reduce((best, each) => (said(each).size > said(best).size ? each : best), first)
  const others = files.filter((each) => each !== survivor)
  const added: string[] = []
  for (const other of others) {
    if (missing(new Set(wordsOf([survivor.words, ...added].join(' '))), said(other)).length > 0) added.push(other.words)
  }
  const anchor = anchorOf(survivor)
  if (added.length > 0 && anchor === undefined) return []
  for (const { path } of files) done.add(path)
  const full = [anchor ?? '', ...added]
    .map((words, index) => (index <= added.length - 1 ? ended(words) : words))
    .join(' ')
  const reason = `They say the same: "${brief(survivor.words)}"`
  return [
    ...(added.length > 0
      ? [call({ command: 'str_replace', path: survivor.path, old_str: anchor ?? '', new_str: full })]
      : []),
    call({ command: 'merge', paths: others.map(({ path }) => path), into: survivor.path, reason }),
  ]
}

/** Words that stand in the file once: the fact may be told in its head too, so the end of the head goes with it. */
function anchorOf({ text, words }: SeenFile): string | undefined {
  const end = /\n---[ \t]*\n\s*/.exec(text)
  const anchor = end ? `${end[0].slice(1)}${words}` : words
  return text.split(anchor).length === 2 ? anchor : undefined
}

function ended(words: string): string {
  return /[.!?。！？]$/.test(words) ? words : `${words}.`
}

/** The files that were looked at, out of the results of the calls. */
function filesIn(messages: readonly Message[]): readonly SeenFile[] {
  const blocks = messages.flatMap(({ content }) => content)
  const paths = new Map<unknown, string>()
  for (const { type, id, input } of blocks) {
    const { command, path } = (input ?? {}) as { readonly command?: unknown; readonly path?: unknown }
    if (type === 'tool_use' && command === 'view' && typeof path === 'string') paths.set(id, path)
  }
  return blocks.flatMap(({ type, tool_use_id, content, is_error }) => {
    const path = paths.get(tool_use_id)
    return type === 'tool_result' && path !== undefined && is_error !== true
      ? (readFile(path, textOf(content)) ?? [])
      : []
  })
}

const NUMBERED = /^ *\d+(?:\t|→|: ?|\| ?)/
const HEAD = /^---[ \t]*\n([\s\S]*?)\n---[ \t]*\n\s*/

/** A file with or without numbers before its lines, and with or without a word before the first. */
function readFile(path: string, shown: string): SeenFile | undefined {
  const lines = shown.replaceAll('\r', '').split('\n')
  const start = Math.max(
    0,
    lines.findIndex((line) => /^---[ \t]*$/.test(line.replace(NUMBERED, ''))),
  )
  const isNumbered = NUMBERED.test(lines[start] ?? '')
  const text = lines
    .slice(start)
    .map((line) => (isNumbered ? line.replace(NUMBERED, '') : line))
    .join('\n')
  const head = HEAD.exec(text)
  if (!head) return undefined
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*["']?([^"'\\n]*)`, 'm').exec(head[1] ?? '')?.[1]?.trim() ?? ''
  const words = (text.slice(head[0].length).split(/\n[ \t]*\n|\n(?=\*\*(?:Why|How))/)[0] ?? '').trim()
  if (words === '') return undefined
  const date = field('confirmed') || field('created')
  return {
    path,
    text,
    type: field('type'),
    date,
    isPinned: field('pinned') === 'true',
    words,
    statement: toStatement(words),
  }
}

/** What was done, in two sentences: the calls, and how many of them were refused. */
function tell(messages: readonly Message[]): string {
  const blocks = messages.flatMap(({ content }) => content)
  const count = (name: string) =>
    blocks.filter(
      ({ type, input }) => type === 'tool_use' && (input as { readonly command?: unknown })?.command === name,
    ).length
  const refused = blocks.filter(({ type, is_error }) => type === 'tool_result' && is_error === true).length
  const did = [
    `${count('merge')} merged because they say the same`,
    `${count('supersede')} superseded by a newer word`,
    `${count('delete')} archived as momentary`,
  ]
  return `Of what looked alike: ${did.join(', ')}. ${
    refused > 0
      ? `${refused} of the calls were refused, and what they were about stays as it is.`
      : 'All else stays as it is.'
  }`
}

function call(input: Readonly<Record<string, string | readonly string[]>>): ReplyBlock {
  return { type: 'tool_use', name: TOOL, input }
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : textsOf({ content: (content ?? []) as readonly Block[] }).join('\n')
}

function textsOf({ content }: { readonly content: readonly Block[] }): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
