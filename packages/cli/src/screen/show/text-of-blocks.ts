import type { Block } from '@nacre/core'

/** The texts of a message, one below the other. */
export function textOfBlocks(content: readonly Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n')
}
