import type { BlockRef, View } from '@nacre/core'

/** The thinking of all turns but the last one that has some. A turn is what is answered between two things that are said. */
export function oldThinking(view: View): readonly BlockRef[] {
  const turns: BlockRef[][] = [[]]
  for (const { kind, id, content } of view.rounds.flatMap(({ entries }) => entries)) {
    if (kind === 'user' && content.some(({ type }) => type !== 'tool_result')) turns.push([])
    if (kind === 'user') continue
    const thoughts = content.flatMap(({ type }, block): BlockRef[] =>
      type === 'thinking' || type === 'redacted_thinking' ? [{ entry: id, block }] : [],
    )
    turns.at(-1)?.push(...thoughts)
  }
  const thinking = turns.filter(({ length }) => length > 0)
  return thinking
    .slice(0, -1)
    .flat()
    .filter((target) => view.shows(target) === 'whole')
}
