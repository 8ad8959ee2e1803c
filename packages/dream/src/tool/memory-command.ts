import type { Json, ToolSchema } from '@nacre/core'

export const MEMORY_TOOL = 'memory'
/** What the model takes for the root of all memories. */
export const ROOT = '/memories'

/** The commands of the API's memory tool, and those in which a change says what becomes of a fact. */
export type MemoryCommand =
  | { readonly command: 'view'; readonly path: string; readonly range?: readonly [number, number] }
  | { readonly command: 'search'; readonly query: string; readonly where: 'memories' | 'transcripts' }
  | { readonly command: 'create'; readonly path: string; readonly text: string }
  | { readonly command: 'str_replace'; readonly path: string; readonly old: string; readonly next: string }
  | { readonly command: 'insert'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly command: 'delete'; readonly path: string; readonly reason: string }
  | { readonly command: 'rename'; readonly path: string; readonly to: string }
  | { readonly command: 'merge'; readonly paths: readonly string[]; readonly into: string; readonly reason: string }
  | { readonly command: 'supersede'; readonly path: string; readonly by: string; readonly reason: string }

export type CommandName = MemoryCommand['command']

export const READS: readonly CommandName[] = ['view', 'search']

const NAMES: readonly CommandName[] = [
  'view',
  'search',
  'create',
  'str_replace',
  'insert',
  'delete',
  'rename',
  'merge',
  'supersede',
]

const text = (description: string) => ({ type: 'string', description })

const PROPERTIES: { readonly [name: string]: Json } = {
  command: { type: 'string', enum: [...NAMES] },
  path: text(`A file below ${ROOT}, such as ${ROOT}/prefers-tabs.md; ${ROOT} itself to list all.`),
  view_range: { type: 'array', items: { type: 'integer' }, description: 'For view: first and last line.' },
  query: text('For search: words, best matches first.'),
  in: {
    type: 'string',
    enum: ['memories', 'transcripts'],
    description: 'For search: where to look; memories unless told. Transcripts only where the task says so.',
  },
  file_text: text('For create: the whole file.'),
  old_str: text('For str_replace: words that stand in the file once.'),
  new_str: text('For str_replace: what takes their place.'),
  insert_line: { type: 'integer', description: 'For insert: the line behind which it goes; 0 is the beginning.' },
  insert_text: text('For insert: the new lines.'),
  old_path: text('For rename: the file.'),
  new_path: text('For rename: its new path.'),
  paths: { type: 'array', items: { type: 'string' }, description: 'For merge: files that become part of another.' },
  into: text('For merge: the file that says it all from now on.'),
  by: text('For supersede: the file that holds the newer word.'),
  reason: text('For delete, merge and supersede: why, in a sentence.'),
}

/** The input of the tool, for the model and for whoever calls it. */
export const memorySchema: ToolSchema<MemoryCommand> = {
  json: { type: 'object', properties: PROPERTIES, required: ['command'] },
  parse,
}

function parse(input: unknown): MemoryCommand {
  if (typeof input !== 'object' || input === null) throw new Error('The input is an object with a command.')
  const given = input as Readonly<Record<string, unknown>>
  const command = NAMES.find((name) => name === given.command)
  if (!command) throw new Error(`There is no command '${String(given.command)}'. Use ${NAMES.join(', ')}.`)
  const need = (name: string) => {
    const value = given[name]
    if (typeof value !== 'string' || value === '') throw new Error(`${command} needs ${name}, a text.`)
    return value
  }
  const reason = typeof given.reason === 'string' ? given.reason.replace(/\s+/g, ' ').trim() : ''
  switch (command) {
    case 'view': {
      const range = readRange(given.view_range)
      return { command, path: typeof given.path === 'string' ? given.path : ROOT, ...(range && { range }) }
    }
    case 'search':
      return { command, query: need('query'), where: given.in === 'transcripts' ? 'transcripts' : 'memories' }
    case 'create':
      return { command, path: need('path'), text: need('file_text') }
    case 'str_replace':
      return { command, path: need('path'), old: need('old_str'), next: String(given.new_str ?? '') }
    case 'insert':
      return { command, path: need('path'), line: wholeNumber(given.insert_line), text: need('insert_text') }
    case 'delete':
      return { command, path: need('path'), reason }
    case 'rename':
      return { command, path: need('old_path'), to: need('new_path') }
    case 'merge':
      return { command, paths: readPaths(given.paths), into: need('into'), reason: needReason(command, reason) }
    default:
      return { command, path: need('path'), by: need('by'), reason: needReason(command, reason) }
  }
}

function needReason(command: string, reason: string): string {
  if (reason === '') throw new Error(`${command} needs a reason.`)
  return reason
}

function readPaths(value: unknown): readonly string[] {
  const paths = Array.isArray(value) ? value.filter((path): path is string => typeof path === 'string') : []
  if (paths.length === 0) throw new Error('merge needs paths, a list of files.')
  return paths
}

function readRange(value: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [from, to] = value.map(Number)
  return Number.isInteger(from) && Number.isInteger(to) ? [from as number, to as number] : undefined
}

function wholeNumber(value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= 0) return value as number
  throw new Error('insert needs insert_line, a whole number from 0.')
}
