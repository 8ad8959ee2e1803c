import type { Block, Need } from '@nacre/core'
import { oneLine } from './one-line.js'

export const WORK_KINDS = ['written', 'read', 'commands', 'others'] as const
export type WorkKind = (typeof WORK_KINDS)[number]

/** One thing that was done with a tool, in words that can not break their line. */
export interface DoneWork {
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
export function doneWork(call: Block, result: Block | undefined, tool: Need['tool']): DoneWork {
  const name = String(call.name)
  const input = Object(call.input) as Readonly<Record<string, unknown>>
  const outcome = result?.is_error === true ? 'failed' : 'ok'
  const command = textIn(input, COMMANDS)
  if (command !== undefined) {
    return { kind: 'commands', what: oneLine(command), outcome: exitCode(result) ?? outcome }
  }
  const path = textIn(input, PATHS)
  if (path === undefined || SEARCHES.some((key) => key in input)) {
    return { kind: 'others', what: oneLine(`${name} ${brief(input)}`), outcome }
  }
  return { kind: isReadOnly(name, call.input, tool) ? 'read' : 'written', what: oneLine(path), outcome }
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
