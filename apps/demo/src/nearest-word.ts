import { closest, distance } from 'fastest-levenshtein'

const SLIPS = 2

/** The one of some words that was probably meant, if one is near enough. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const nearest = closest(word, words)
  return distance(word, nearest) <= Math.min(SLIPS, nearest.length - 1) ? nearest : undefined
}
