import type { Block } from '../log/entry.js'

/** The texts of a block, as far as the model or a tool wrote them: not its keys, ids and thinking. */
export function blockTexts(block: Block): string[] {
  switch (block.type) {
    case 'text':
      return [String(block.text)]
    case 'tool_use':
      return strings(block.input)
    case 'tool_result':
      return typeof block.content === 'string'
        ? [block.content]
        : ((block.content ?? []) as readonly Block[]).flatMap(blockTexts)
    default:
      return []
  }
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
