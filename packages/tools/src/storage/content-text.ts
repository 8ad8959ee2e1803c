import type { Block } from '@nacre/core'

/** All text of some content: what counts, and what is kept elsewhere. Images and the like do not count. */
export function contentText(content: readonly Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n')
}

/** The same content with one text in the place of all its texts. */
export function withText(content: readonly Block[], text: string): readonly Block[] {
  const first = content.findIndex(({ type }) => type === 'text')
  return content.flatMap((block, index) => {
    if (block.type !== 'text') return [block]
    return index === first ? [{ type: 'text', text }] : []
  })
}
