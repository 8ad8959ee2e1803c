import { resolve } from 'node:path'
import type { Json, Tool, ToolResult } from '@nacre/core'
import { z } from 'zod'
import { listFiles, readText, removeFile, writeText } from './memory-files.js'
import { cutIndex, describeCut, INDEX, linesOf, MAX_BYTES, MAX_LINES } from './memory-index.js'

const DESCRIPTION = `Reads and changes your memory: text files of your own that are there again the next time an agent of your type is started.
- view gives a file with the numbers of its lines; without a file it lists the files there are.
- write makes a file or replaces the whole of it; append adds to its end; replace puts new_string in the place of old_string, which has to be there exactly once; delete takes a file away.
- ${INDEX} is the index. Its first ${MAX_LINES} lines, up to ${MAX_BYTES / 1024} KB, are shown to you at the start: keep it short, and put details into other files that it names.`

const commandNames = ['view', 'write', 'append', 'replace', 'delete'] as const

const memoryInput = z
  .object({
    command: z.enum(commandNames),
    file: z.string().optional().describe('A file of your memory, such as MEMORY.md or topics/tests.md.'),
    offset: z.number().int().min(1).optional().describe('For view: the first line, counted from 1.'),
    limit: z.number().int().min(1).optional().describe('For view: how many lines.'),
    content: z.string().optional().describe('For write and append: the text.'),
    old_string: z.string().min(1).optional().describe('For replace: the text that is there, exactly once.'),
    new_string: z.string().optional().describe('For replace: the text to put in its place.'),
  })
  .superRefine((input, { addIssue }) => {
    for (const name of NEEDED[input.command]) {
      if (input[name] === undefined) addIssue({ code: 'custom', path: [name], message: `${input.command} needs it` })
    }
  })

type MemoryInput = z.output<typeof memoryInput>

const NEEDED: Readonly<Record<MemoryInput['command'], readonly ('file' | 'content' | 'old_string' | 'new_string')[]>> =
  {
    view: [],
    write: ['file', 'content'],
    append: ['file', 'content'],
    replace: ['file', 'old_string', 'new_string'],
    delete: ['file'],
  }

/** A tool by which an agent reads and changes the memory in a folder, and nothing outside of it. */
export function agentMemoryTool(folder: string): Tool {
  const { $schema: _, ...json } = z.toJSONSchema(memoryInput, { io: 'input' })
  const tool: Tool<MemoryInput> = {
    name: 'AgentMemory',
    description: DESCRIPTION,
    schema: { json: json as Json, parse: parsed },
    isReadOnly: ({ command }) => command === 'view',
    isConcurrencySafe: ({ command }) => command === 'view',
    async run(input, { signal }) {
      if (input.command === 'view') return textResult(await view(folder, input))
      return inTurn(resolve(folder), async () => {
        signal.throwIfAborted()
        return textResult(await change(folder, input))
      })
    },
  }
  return tool
}

function parsed(input: unknown): MemoryInput {
  const { success, data, error } = memoryInput.safeParse(input)
  if (!success) throw new Error(z.prettifyError(error))
  return data
}

function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] }
}

/** The last change of each folder: agents of one type work side by side, and an append reads before it writes. */
const queues = new Map<string, Promise<unknown>>()

async function inTurn<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const mine = (queues.get(folder) ?? Promise.resolve()).then(work, work)
  queues.set(folder, mine)
  try {
    return await mine
  } finally {
    if (queues.get(folder) === mine) queues.delete(folder)
  }
}

async function view(folder: string, { file, offset = 1, limit }: MemoryInput): Promise<string> {
  if (file === undefined) return list(folder)
  const text = await readText(folder, file)
  if (text === undefined)
    throw new Error(`There is no ${file} in your memory. view without a file lists what there is.`)
  const lines = linesOf(text)
  if (lines.length === 0) return `${file} is empty.`
  if (offset > lines.length) throw new Error(`${file} has ${count(lines.length, 'line')}: there is no line ${offset}.`)
  return shownLines(lines, offset, limit)
}

async function list(folder: string): Promise<string> {
  const { files, isAll } = await listFiles(folder)
  if (files.length === 0) return `Your memory has no files yet. Begin with ${INDEX}.`
  const rows = files.map(({ file, bytes }) => `${file} (${count(bytes, 'byte')})`)
  return [`Files in ${folder}:`, ...rows, ...(isAll ? [] : ['There are more that are not listed here.'])].join('\n')
}

const MOST_CHARACTERS = 50_000
/** Less than all, so that there is always room for one. */
const MOST_CHARACTERS_OF_LINE = 40_000

/** Lines with their numbers, as many as a result should have, and where the next ones are. */
function shownLines(lines: readonly string[], offset: number, limit = lines.length): string {
  const shown: string[] = []
  let size = 0
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const row = `${offset + shown.length}\t${shortLine(line)}`
    size += row.length
    if (size > MOST_CHARACTERS) break
    shown.push(row)
  }
  const last = offset + shown.length - 1
  if (last === lines.length) return shown.join('\n')
  return `${shown.join('\n')}\n(Lines ${offset} to ${last} of ${lines.length}. The next are at offset ${last + 1}.)`
}

function shortLine(line: string): string {
  if (line.length <= MOST_CHARACTERS_OF_LINE) return line
  const start = line.slice(0, MOST_CHARACTERS_OF_LINE).replace(/[\ud800-\udbff]$/, '')
  return `${start} … [the line goes on: ${line.length} characters in all]`
}

async function change(folder: string, input: MemoryInput): Promise<string> {
  const { command, file = '', content = '' } = input
  if (command === 'delete') {
    if (await removeFile(folder, file)) return `${file} is deleted.`
    throw new Error(`There is no ${file} in your memory.`)
  }
  // What is replaced as a whole need not be readable.
  const before = command === 'write' ? '' : await readText(folder, file)
  const text = command === 'replace' ? replaced(file, before, input) : joined(before, content)
  await writeText(folder, file, text)
  return `${file} is written: ${count(linesOf(text).length, 'line')}, ${count(Buffer.byteLength(text), 'byte')}.${overLimits(file, text)}`
}

/** What is added begins a line of its own. */
function joined(before = '', content: string): string {
  return before === '' || before.endsWith('\n') ? before + content : `${before}\n${content}`
}

function replaced(file: string, before: string | undefined, { old_string = '', new_string = '' }: MemoryInput): string {
  if (before === undefined) throw new Error(`There is no ${file} in your memory.`)
  const at = before.indexOf(old_string)
  if (at < 0) throw new Error(`old_string is not in ${file}. View it, and give the text exactly as it is there.`)
  if (before.indexOf(old_string, at + 1) >= 0) {
    throw new Error(`old_string is in ${file} more than once. Give more of the text around it.`)
  }
  return before.slice(0, at) + new_string + before.slice(at + old_string.length)
}

/** On some disks `memory.md` is the same file. */
function overLimits(file: string, text: string): string {
  const index = file.toLowerCase() === INDEX.toLowerCase() ? cutIndex(text) : undefined
  return index?.isCut
    ? ` ${describeCut(index)} Make it shorter: move details into other files, and name them in it.`
    : ''
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
