import type { Block, Entry } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'
import { logEntries } from './find-entry.js'
import { type Colour, cutText, figures, paint, shortId } from './format.js'
import { misuse, type SlashCommand, type SlashContext, say } from './slash-command.js'

const USUAL = 20

const COLOURS: Readonly<Record<Entry['kind'], Colour>> = {
  user: 'green',
  assistant: 'blue',
  edit: 'yellow',
  state: 'dim',
  notice: 'magenta',
}

/** The last entries of the log, a line each. */
export const logCommand: SlashCommand = {
  name: 'log',
  help: `Shows the last entries of the log, ${USUAL} unless told: messages, edits with their price, notices.`,
  example: '/log 50',
  async run(args, context) {
    const count = args === '' ? USUAL : Number(args)
    if (!Number.isInteger(count) || count < 1) {
      return misuse(`'${args}' is no number of entries.`, logCommand, context)
    }
    const entries = await logEntries(context.opened.session, context.signal)
    // What plugins keep for themselves is nothing that people would look for here.
    const shown = entries.filter(({ kind }) => kind !== 'state')
    if (shown.length === 0) return say('Nothing has happened yet.', context)
    return {
      text: shown
        .slice(-count)
        .map((entry) => entryLine(entry, context))
        .join('\n'),
    }
  },
}

/** An entry in a line. Where there is little room, the time is left out. */
export function entryLine(entry: Entry, { width, hasColour }: SlashContext): string {
  const time = new Date(entry.time).toISOString().slice(11, 19)
  const id = shortId(entry.id)
  const head = width >= 60 ? `${time} ${id}` : id
  const room = Math.max(4, width - head.length - 1)
  const words = paint(cutText(cleanText(describeEntry(entry)), room), COLOURS[entry.kind], hasColour)
  return `${paint(head, 'dim', hasColour)} ${words}`
}

/** An entry of the log in a line: who, and what. */
function describeEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return `${isResult(entry.content) ? 'result' : 'you'}: ${formatBlocks(entry.content)}`
    case 'assistant': {
      const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, dollars } = entry.usage
      const prompt = figures.count(input + cacheRead + cacheWrite5m + cacheWrite1h)
      const cost = `${prompt} in, ${figures.count(output)} out, ${figures.dollars(dollars)}`
      return `model: ${formatBlocks(entry.content)} (${cost})`
    }
    case 'edit': {
      const kinds = [...new Set(entry.changes.map(({ kind }) => kind))].join(', ')
      const freed = `${figures.count(entry.price.freed)} tokens freed, ${figures.dollars(entry.price.dollars)}`
      return `edit by ${entry.owner}: ${entry.reason} (${kinds}; ${freed})`
    }
    case 'state':
      return `state of ${entry.owner}: ${entry.key}`
    case 'notice':
      return `${entry.level} from ${entry.owner}: ${entry.text}`
  }
}

/** What a call gave goes to the model in a message of the user, but no person has said it. */
function isResult(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => type === 'tool_result')
}

function formatBlocks(blocks: readonly Block[]): string {
  return blocks.map(formatBlock).join(' ')
}

function formatBlock(block: Block): string {
  if (block.type === 'text') return String(block.text)
  if (block.type === 'tool_use') return `[calls ${String(block.name)} ${JSON.stringify(block.input)}]`
  if (block.type === 'tool_result') return resultText(block.content)
  return `[${block.type}]`
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? formatBlocks(content as readonly Block[]) : ''
}
