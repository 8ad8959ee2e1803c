import type { Block, Round, View } from '@nacre/core'
import { isPrompt } from './is-prompt.js'
import { shownBlocks } from './shown-blocks.js'

/** How a round begins as it is shown: what was said, or else what was called. */
export function roundWords(view: View, { entries, content }: Round): string {
  if (content) return `(in its place) ${content.flatMap(textOf).join(' ')}`
  const prompt = entries.find(isPrompt)
  if (prompt) return `> ${shownBlocks(view, prompt).flatMap(textOf).join(' ') || '(no text)'}`
  const blocks = entries.flatMap((entry) => (entry.kind === 'assistant' ? shownBlocks(view, entry) : []))
  return blocks.flatMap(wordsOf).join(' ') || '(no text)'
}

function wordsOf(block: Block): string[] {
  return block.type === 'tool_use' ? [`${block.name}(${JSON.stringify(block.input)})`] : textOf(block)
}

function textOf(block: Block): string[] {
  return block.type === 'text' ? [String(block.text)] : []
}
