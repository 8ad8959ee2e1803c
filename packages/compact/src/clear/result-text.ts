import type { Block } from '@nacre/core'

/** The words of a tool result. */
export function resultText({ content }: Block): string {
  if (typeof content === 'string') return content
  return partsOf(content)
    .flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
    .join('\n')
}

/** How many images and documents it holds. */
export function mediaIn({ content }: Block): number {
  return partsOf(content).filter(({ type }) => type === 'image' || type === 'document').length
}

function partsOf(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content : []
}
