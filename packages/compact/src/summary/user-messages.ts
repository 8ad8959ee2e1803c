import type { Round, View } from '@nacre/core'

/** What a person said in rounds, as the model sees it. */
export function userMessages(view: View, rounds: readonly Round[]): string[] {
  return rounds.flatMap(({ entries }) =>
    entries.flatMap((entry) => {
      if (entry.kind !== 'user' || entry.isMeta) return []
      const blocks = entry.content.flatMap((_, block) => view.shown({ entry: entry.id, block }))
      const text = blocks.flatMap(({ type, text: words }) => (type === 'text' ? [String(words)] : [])).join('\n')
      return text.trim() === '' ? [] : [text.trim()]
    }),
  )
}
