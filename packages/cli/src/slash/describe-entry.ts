import type { Block, Entry } from '@nacre/core'
import { figures } from './text/figures.js'

/** An entry of the log in a line: who, and what. */
export function describeEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
      return `${isResult(entry.content) ? 'result' : 'you'}: ${blocksInWords(entry.content)}`
    case 'assistant': {
      const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, dollars } = entry.usage
      const prompt = figures.count(input + cacheRead + cacheWrite5m + cacheWrite1h)
      const cost = `${prompt} in, ${figures.count(output)} out, ${figures.dollars(dollars)}`
      return `model: ${blocksInWords(entry.content)} (${cost})`
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

function blocksInWords(blocks: readonly Block[]): string {
  return blocks.map(blockInWords).join(' ')
}

function blockInWords(block: Block): string {
  if (block.type === 'text') return String(block.text)
  if (block.type === 'tool_use') return `[calls ${String(block.name)} ${JSON.stringify(block.input)}]`
  if (block.type === 'tool_result') return resultText(block.content)
  return `[${block.type}]`
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? blocksInWords(content as readonly Block[]) : ''
}
