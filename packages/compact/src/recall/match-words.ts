import { contentStems } from '@nacre/core'
import { isWhole, MAX_PLACES, type Match, type Matcher, type Place, placesOf } from './matchers.js'

/** In how many of all texts a word stands. */
export interface WordCounts {
  readonly texts: number
  readonly having: ReadonlyMap<string, number>
}

/** A query as it is looked for. */
export interface WordQuery {
  /** What is found to the letter, in lower case: words, what stands in quotes, exact names. Also inside of longer words. */
  readonly words: readonly string[]
  /** Stems of those words that are found in their other forms too. */
  readonly stems: ReadonlySet<string>
  /** The whole of it, which counts most. */
  readonly phrase: string
}

/** Reads a query. Words in quotes stay together, and so do exact names; words that say nothing are left out. */
export function readWords(query: string): WordQuery {
  const parts = [...query.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain = '']) => {
    const bare = plain.replace(/^[("'`]+|[)"'`?!.,;:]+$/g, '')
    return { text: (quoted ?? (bare === '' ? plain : bare)).trim(), isQuoted: quoted !== undefined }
  })
  const given = parts.filter(({ text }) => text !== '')
  const telling = given.filter(
    ({ text, isQuoted }) => isQuoted || !ONLY_LETTERS.test(text) || contentStems(text).length > 0,
  )
  const wanted = telling.length > 0 ? telling : given
  const loose = wanted.filter(({ text, isQuoted }) => !isQuoted && LOOSE.test(text))
  return {
    words: [...new Set(wanted.map(({ text }) => text))],
    stems: new Set(loose.flatMap(({ text }) => contentStems(text))),
    phrase: query.trim().toLowerCase(),
  }
}

const ONLY_LETTERS = /^[\p{L}\p{M}'’]+$/u
/** Paths, hosts, names in code: a word with anything else in it is an exact name. */
const LOOSE = /^[\p{L}\p{M}\p{N}'’-]+$/u

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

/** What a place inside a longer word counts. */
const PART = 0.3
/** All words in their order, beside each other, count as much as that many times the words. */
const PHRASE = 3
const LONG_TEXT = 4_000

/**
 * Finds texts with words of a query, to the letter or in other forms. Their scores are those of the ranker, by entry,
 * and on top of them what it does not see: the letters of names, parts of words, and the phrase as it was given.
 */
export function matchWords(
  { words, stems, phrase }: WordQuery,
  { texts: total, having }: WordCounts,
  ranked: ReadonlyMap<string, number>,
): Matcher {
  const weights = new Map(words.map((word) => [word, Math.log(1 + total / ((having.get(word) ?? 0) + 0.5))]))
  const exactly = (lower: string): Match | undefined => {
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
    const places = together.length > 0 ? together : closestFirst(found, (word) => weights.get(word) ?? 0)
    return { score: sum * share * share * (together.length > 0 ? PHRASE : 1), places }
  }
  return (texts) =>
    texts.map(({ id, text }) => {
      const score = ranked.get(id) ?? 0
      const exact = exactly(text.toLowerCase())
      if (exact) return { ...exact, score: exact.score + score }
      // What the ranker knows of an entry may stand in a part of it that is not looked at.
      const places = score > 0 ? placesOfStems(text, stems) : []
      return places.length > 0 ? { score, places } : undefined
    })
}

interface FoundWord {
  readonly word: string
  readonly places: readonly Place[]
}

/** What is shown of a text has about so many characters behind the first place in it. */
const SHOWN = 400

/** All places in their order, but first of all the one with the most weight of words close behind it. */
function closestFirst(found: readonly FoundWord[], weightOf: (word: string) => number): readonly Place[] {
  const all = found
    .flatMap(({ word, places }) => places.map((place) => ({ word, place })))
    .sort((a, b) => a.place[0] - b.place[0])
  const inside = new Map<string, number>()
  let [end, weight, best, most] = [0, 0, 0, 0]
  for (const [index, { word, place }] of all.entries()) {
    for (let next = all[end]; next && next.place[1] <= place[0] + SHOWN; next = all[++end]) {
      const times = inside.get(next.word) ?? 0
      inside.set(next.word, times + 1)
      if (times === 0) weight += weightOf(next.word)
    }
    if (weight > most + CLOSER) [best, most] = [index, weight]
    const times = (inside.get(word) ?? 1) - 1
    inside.set(word, times)
    if (times === 0) weight -= weightOf(word)
  }
  const places = all.map(({ place }) => place)
  return [...places.splice(best, 1), ...places]
}

/** Sums of the same weights may differ by less. */
const CLOSER = 1e-9

function placesOfStems(text: string, stems: ReadonlySet<string>): [start: number, end: number][] {
  const places: [number, number][] = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu)) {
    if (!contentStems(word).some((stem) => stems.has(stem))) continue
    places.push([index, index + word.length])
    if (places.length === MAX_PLACES) break
  }
  return places
}
