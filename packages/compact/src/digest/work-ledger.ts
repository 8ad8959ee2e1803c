import type { Block, Need, Round, View } from '@nacre/core'
import { RECALL } from '../layer/layer.js'
import { shownBlocks } from '../view/rounds.js'

export const WORK_KINDS = ['written', 'read', 'commands', 'others'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** Above the lines of a ledger. */
export const HEADINGS = {
  written: 'Files written or edited, the latest last:',
  read: 'Files read, the latest last:',
  commands: 'Commands, the latest last, each with how it last ended:',
  others: 'Other calls, the latest last:',
  todos: 'Todos as they stand:',
} as const

/** What tools have done, as lines by kind, the latest last. A thing done again moves to the end with its last outcome. */
export type WorkLedger = ReadonlyMap<WorkKind, readonly string[]>

const OUTCOME = ' → '

/** Gathers what was done in rounds, after what an earlier ledger knows. */
export function workLedger(
  view: View,
  rounds: readonly Round[],
  tool: Need['tool'],
  earlier: readonly WorkLedger[] = [],
): WorkLedger {
  const ledger = new Map<WorkKind, Map<string, string>>()
  const put = (kind: WorkKind, line: string) => {
    const lines = ledger.get(kind) ?? new Map<string, string>()
    const key = keyOf(line)
    lines.delete(key)
    lines.set(key, line)
    ledger.set(kind, lines)
  }
  for (const known of earlier) for (const [kind, lines] of known) for (const line of lines) put(kind, line)
  for (const { kind, what, outcome } of worksIn(view, rounds, tool)) put(kind, `${what}${OUTCOME}${outcome}`)
  return new Map([...ledger].map(([kind, lines]) => [kind, [...lines.values()]]))
}

function keyOf(line: string): string {
  const end = line.lastIndexOf(OUTCOME)
  return end === -1 ? line : line.slice(0, end)
}

/** Calls with their results, as the view shows them: what was redacted or cleared is not brought back. */
function worksIn(view: View, rounds: readonly Round[], tool: Need['tool']): DoneWork[] {
  const blocks = rounds.flatMap(({ entries }) => entries.flatMap((entry) => shownBlocks(view, entry)))
  const results = new Map(
    blocks.filter(({ type }) => type === 'tool_result').map((block) => [block.tool_use_id, block]),
  )
  const calls = blocks.filter(({ type, name }) => type === 'tool_use' && name !== RECALL)
  return calls.map((call) => doneWork(call, results.get(call.id), tool))
}

/** One thing that was done with a tool, in words that can not break their line. */
interface DoneWork {
  readonly kind: WorkKind
  readonly what: string
  readonly outcome: string
}

const PATHS = ['file_path', 'path', 'notebook_path', 'filename', 'file', 'filepath', 'filePath']
const COMMANDS = ['command', 'cmd', 'script']
/** With these a path says where to look, not what to read. */
const SEARCHES = ['pattern', 'query', 'glob', 'regex']
const READS = /^(?:read|view|open|cat|show|get|list)/i
const EXIT = /\bexit(?:ed)?(?: with)?(?: (?:code|status))?[ :=]{1,2}(-?\d{1,10})\b/gi
/** How a command ended stands at an end of what it wrote. */
const END = 300

/** What a call did, judged by its input and its tool. */
function doneWork(call: Block, result: Block | undefined, tool: Need['tool']): DoneWork {
  const name = String(call.name)
  const input = Object(call.input) as Readonly<Record<string, unknown>>
  const outcome = result?.is_error === true ? 'failed' : 'ok'
  const command = textIn(input, COMMANDS)
  if (command !== undefined) {
    return { kind: 'commands', what: lineInFrame(command), outcome: exitCode(result) ?? outcome }
  }
  const path = textIn(input, PATHS)
  if (path === undefined || SEARCHES.some((key) => key in input)) {
    return { kind: 'others', what: lineInFrame(`${name} ${brief(input)}`), outcome }
  }
  return { kind: isReadOnly(name, call.input, tool) ? 'read' : 'written', what: lineInFrame(path), outcome }
}

function textIn(input: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key]
    const text = Array.isArray(value) ? value.join(' ') : value
    if (typeof text === 'string' && text.trim() !== '') return text
  }
  return undefined
}

function brief(input: unknown): string {
  const text = JSON.stringify(input) ?? ''
  return text === '{}' ? '' : text
}

/** A tool that is gone, or throws, is judged by its name. */
function isReadOnly(name: string, input: unknown, tool: Need['tool']): boolean {
  try {
    return tool(name)?.isReadOnly(input) ?? READS.test(name)
  } catch {
    return READS.test(name)
  }
}

function exitCode(result: Block | undefined): string | undefined {
  const text = textOf(result?.content)
  const ends = [text.slice(-END), text.slice(0, END)]
  const code = ends.map((end) => [...end.matchAll(EXIT)].at(-1)?.[1]).find((found) => found !== undefined)
  return code === undefined ? undefined : `exit code ${code}`
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? (content as readonly Block[]) : []
  return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

const BREAKS = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const LENGTH = 200
/** The frames of a digest and of what stands beside it in a fold. */
const FRAMES = /<(?=\/?(?:work_ledger|last_answers|assistant_text|earlier|user_message)\b)/gi

/** Text from outside as one short line that can neither break nor leave its frame. */
export function lineInFrame(text: string, length = LENGTH): string {
  const line = escapeFrames(text).replace(BREAKS, ' ').trim()
  return line.length <= length ? line : `${[...line.slice(0, length)].slice(0, -1).join('')}…`
}

/** Text that can not begin or end a frame; twice is the same as once. */
export function escapeFrames(text: string): string {
  return text.replace(FRAMES, '<\\')
}
