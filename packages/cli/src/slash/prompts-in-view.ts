import type { Id, View } from '@nacre/core'

/** Something that the person has said and that the model still sees. */
export interface PromptInView {
  readonly id: Id
  readonly time: number
  readonly text: string
}

/** What the person has said, oldest first; neither results of calls nor what the program says for them. */
export function promptsInView(view: View): readonly PromptInView[] {
  return view.rounds
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => {
      if (entry.kind !== 'user' || entry.isMeta) return []
      if (entry.content.some(({ type }) => type === 'tool_result')) return []
      const texts = entry.content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
      return [{ id: entry.id, time: entry.time, text: texts.join(' ') || `(${entry.content[0]?.type ?? 'nothing'})` }]
    })
}
