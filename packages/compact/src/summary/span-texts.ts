import type { Block, Round, View } from '@nacre/core'

/**
 * Every text of rounds: words, inputs, results, and what stands for what was folded. What was cleared counts as it was
 * and as it is shown: a summary may be made of either.
 */
export function spanTexts(view: View, rounds: readonly Round[]): string[] {
  return rounds.flatMap(({ entries, content = [] }) => [
    ...content.flatMap(texts),
    ...entries.flatMap(({ id, content: blocks }) =>
      blocks.flatMap((block, index) => {
        const target = { entry: id, block: index }
        return [block, ...(view.shows(target) === 'changed' ? view.shown(target) : [])].flatMap(texts)
      }),
    ),
  ])
}

function texts({ type, text, input, content }: Block): string[] {
  if (type === 'text') return [String(text)]
  if (type === 'tool_use') return strings(input)
  if (typeof content === 'string') return [content]
  return Array.isArray(content) ? (content as Block[]).flatMap(texts) : []
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
