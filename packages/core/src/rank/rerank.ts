import type { Found } from './ranker.js'

/** Gives for each text a vector; texts that mean the same have vectors of the same direction. */
export type Embed = (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]>

export interface RerankOptions {
  readonly embed: Embed
  /** The text of what was found; what has none keeps its place by its words alone. */
  textOf(id: string): string | undefined
}

/** What the meaning counts beside the words; measured, and round. */
const MEANING = 0.6

/**
 * Sorts what was found once more, by words and by meaning: a sum of both, each measured by how far it lies from the
 * average of the list. So it is worth giving it more than are wanted. Scores are of a scale of their own then.
 */
export async function rerank(
  query: string,
  found: readonly Found[],
  { embed, textOf }: RerankOptions,
): Promise<readonly Found[]> {
  const texts = found.map(({ id }) => textOf(id))
  const known = texts.filter((text) => text !== undefined)
  if (known.length < 2) return found
  const [asked = [], ...vectors] = await embed([query, ...known])
  const close = vectors.map((vector) => cosine(asked, vector))
  const meaning = standardized(close)
  const words = standardized(found.map(({ score }) => score))
  let next = 0
  return found
    .map((one, index) => {
      const meant = texts[index] === undefined ? 0 : (meaning[next++] ?? 0)
      return { ...one, score: (words[index] ?? 0) + MEANING * meant }
    })
    .sort((a, b) => b.score - a.score)
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, lengthA, lengthB] = [0, 0, 0]
  for (let index = 0; index < a.length; index++) {
    const [x, y] = [a[index] ?? 0, b[index] ?? 0]
    product += x * y
    lengthA += x * x
    lengthB += y * y
  }
  return lengthA === 0 || lengthB === 0 ? 0 : product / Math.sqrt(lengthA * lengthB)
}

/** By how many standard deviations each lies above the average. */
function standardized(values: readonly number[]): readonly number[] {
  const average = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - average) ** 2, 0) / values.length)
  return values.map((value) => (spread === 0 ? 0 : (value - average) / spread))
}
