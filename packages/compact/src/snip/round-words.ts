import type { Block, Round } from '@nacre/core'
import { isPrompt } from './is-prompt.js'

/** How a round begins, for people: what was said, or else what was called. */
export function roundWords({ entries, content }: Round): string {
  if (content) return `(in its place) ${content.flatMap(textOf).join(' ')}`
  const prompt = entries.find(isPrompt)
  if (prompt) return `> ${prompt.content.flatMap(textOf).join(' ') || '(no text)'}`
  const blocks = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.content : []))
  return blocks.flatMap(wordsOf).join(' ') || '(no text)'
}

function wordsOf(block: Block): string[] {
  return block.type === 'tool_use' ? [`${block.name}(${JSON.stringify(block.input)})`] : textOf(block)
}

function textOf(block: Block): string[] {
  return block.type === 'text' ? [String(block.text)] : []
}
