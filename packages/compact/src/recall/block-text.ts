import type { Block } from '@nacre/core'

/** A block as words; thinking has none, since it is of no use outside the place where it was thought. */
export function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return String(block.text)
    case 'tool_use':
      return `[call of ${block.name}]\n${inputText(block.input)}`.trimEnd()
    case 'tool_result':
      return contentText(block.content)
    case 'image':
      return '[image]'
    case 'document':
      return documentText(block)
    case 'thinking':
    case 'redacted_thinking':
      return ''
  }
  const { type, cache_control: _, ...rest } = block
  return `[${type}] ${JSON.stringify(rest)}`
}

/** Several blocks as one text. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n')
}

function documentText({ source, title }: Block): string {
  const { type, data } = Object(source) as { readonly type?: unknown; readonly data?: unknown }
  const name = typeof title === 'string' ? `[document ${title}]` : '[document]'
  return type === 'text' && typeof data === 'string' ? `${name}\n${data}` : name
}

/** An input line by line with its texts as they are: what was exact in it has to be found. */
function inputText(input: unknown, path = ''): string {
  if (typeof input === 'object' && input !== null) {
    const isList = Array.isArray(input)
    return Object.entries(input)
      .map(([key, value]) => inputText(value, isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`))
      .join('\n')
  }
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return path === '' ? String(text ?? '') : `${path}: ${text}`
}
