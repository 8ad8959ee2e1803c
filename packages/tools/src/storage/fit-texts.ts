import type { ShrinkingText } from './shrinking-text.js'

/**
 * Makes texts shorter until they fit together, the largest first; of equals the last, which nobody has seen yet.
 * Gives those that it changed. Where all are as short as they can be it ends, whether they fit or not.
 */
export async function fitTexts<Item extends { readonly text: ShrinkingText }>(
  items: readonly Item[],
  limit: number,
  mayChange: (item: Item) => boolean = () => true,
): Promise<readonly Item[]> {
  const changed = new Set<Item>()
  while (totalOf(items) > limit) {
    const largest = largestOf(items.filter((item) => mayChange(item) && item.text.canShrink()))
    if (!largest) break
    await largest.text.shrink()
    changed.add(largest)
  }
  return [...changed]
}

type Texts = readonly { readonly text: ShrinkingText }[]

function totalOf(items: Texts): number {
  return items.reduce((sum, { text }) => sum + text.shown().length, 0)
}

function largestOf<Item extends Texts[number]>(items: readonly Item[]): Item | undefined {
  return items.reduce<Item | undefined>(
    (best, item) => (best && best.text.shown().length > item.text.shown().length ? best : item),
    undefined,
  )
}
