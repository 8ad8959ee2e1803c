import type { Block } from '@nacre/core'

const MEDIA: ReadonlySet<string> = new Set(['image', 'document'])

/** A block as text alone. Thinking is left out: it is nobody's to read. `name` tells of which tool a result is. */
export function blockWords(block: Block, name: (call: string) => string): string {
  switch (block.type) {
    case 'text':
      return String(block.text)
    case 'thinking':
    case 'redacted_thinking':
      return ''
    case 'tool_use':
      return `[called ${block.name} with ${JSON.stringify(block.input)}]`
    case 'tool_result':
      return `[${block.is_error === true ? 'failure' : 'result'} of ${name(String(block.tool_use_id))}]\n${inside(block, name)}`
    case 'compaction':
      return String(block.content ?? '')
    default:
      return MEDIA.has(block.type) ? `[${block.type}]` : inside(block, name) || `[${block.type}]`
  }
}

function inside({ content }: Block, name: (call: string) => string): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return (content as Block[]).map((block) => blockWords(block, name)).join('\n')
}
