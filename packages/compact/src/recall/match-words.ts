import { isWhole, type Match, type Matcher, placesOf } from './matcher.js'

/** In how many of all texts a word stands. */
export interface WordCounts {
  readonly texts: number
  readonly having: ReadonlyMap<string, number>
}

/** What a place inside a longer word counts. */
const PART = 0.3
/** All words in their order, beside each other, count as much as that many times the words. */
const PHRASE = 3
const LONG_TEXT = 4_000

/** The words of a query in lower case; words in quotes stay together. */
export function wordsOf(query: string): string[] {
  const words = [...query.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain = '']) => {
    const bare = plain.replace(/^[("'`]+|[)"'`?!.,;:]+$/g, '')
    return (quoted ?? (bare === '' ? plain : bare)).trim()
  })
  return [...new Set(words.filter((word) => word !== ''))]
}

/** Counts words in texts that go by, so that rare ones can weigh more. */
export function countWords(words: readonly string[]): { add(text: string): void; counts(): WordCounts } {
  const having = new Map<string, number>()
  let texts = 0
  return {
    add(text) {
      texts += 1
      const lower = text.toLowerCase()
      for (const word of words) if (lower.includes(word)) having.set(word, (having.get(word) ?? 0) + 1)
    },
    counts: () => ({ texts, having }),
  }
}

/** Ranks texts by the words that they have: rare words weigh more, texts with all words most. */
export function matchWords(query: string, { texts: total, having }: WordCounts): Matcher {
  const words = wordsOf(query)
  const phrase = query.trim().toLowerCase()
  const weights = new Map(words.map((word) => [word, Math.log(1 + total / ((having.get(word) ?? 0) + 0.5))]))
  const match = (text: string): Match | undefined => {
    const lower = text.toLowerCase()
    const found = words
      .map((word) => ({ word, places: placesOf(lower, word) }))
      .filter(({ places }) => places.length > 0)
    if (found.length === 0) return undefined
    const sum = found.reduce((all, { word, places }) => {
      const uses = places.reduce((count, place) => count + (isWhole(lower, place) ? 1 : PART), 0)
      return all + (weights.get(word) ?? 0) * (uses / (uses + 0.5 + lower.length / LONG_TEXT))
    }, 0)
    const together = placesOf(lower, phrase)
    const share = found.length / words.length
    const places = together.length > 0 ? together : found.flatMap((each) => each.places).sort((a, b) => a[0] - b[0])
    return { score: sum * share * share * (together.length > 0 ? PHRASE : 1), places }
  }
  return (texts) => texts.map(match)
}
