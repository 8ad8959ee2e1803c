import type { ModelTurn } from '@nacre/simulator'

/** What the person said last to a model. */
export function lastWords({ messages }: ModelTurn): string {
  const texts = messages.at(-1)?.content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])) ?? []
  return texts.join(' ')
}
