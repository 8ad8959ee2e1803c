import type { Block, Change, Entry } from '@nacre/core'

/** An entry in words. */
export function entryText(entry: Entry): string {
  if (entry.kind === 'notice') return `${entry.level}: ${entry.text}`
  if (entry.kind === 'state') return `${entry.key} = ${JSON.stringify(entry.value)}`
  if (entry.kind === 'edit') {
    const { reason, changes, price } = entry
    return `${reason} [${changeCounts(changes)}; ${price.freed} tokens freed]`
  }
  return entry.content.map(blockText).join('\n')
}

/** A block of a message in words. */
export function blockText(block: Block): string {
  if (block.type === 'text') return String(block.text)
  if (block.type === 'thinking') return `(thinking) ${String(block.thinking)}`
  if (block.type === 'tool_use') return `(calls ${String(block.name)}) ${JSON.stringify(block.input)}`
  if (block.type !== 'tool_result') return `(${block.type})`
  const { content } = block
  const text = Array.isArray(content) ? (content as readonly Block[]).map(blockText).join('\n') : String(content ?? '')
  return `(${block.is_error ? 'error' : 'result'}) ${text}`
}

function changeCounts(changes: readonly Change[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => (count === 1 ? kind : `${count} × ${kind}`)).join(', ')
}
