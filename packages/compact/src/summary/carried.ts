import { estimateText, findIdentifiers } from '@nacre/core'

/** A text that a model gave for what was said in a span. */
export interface Given {
  readonly text: string
  /** It has tags or titles that were asked for, so it was meant to be what it should. */
  readonly isMarked: boolean
  /** What of the floor counts, where little was asked for; all unless told. */
  readonly share?: number
}

/** Each for the cube root of the size of the span: what there is to tell grows more slowly than what was said. */
const LENGTH = 5
const WORDS = 1
/** No span asks for more than this, in tokens and in words. */
const MOST_LENGTH = 150
const MOST_WORDS = 40
/** A span of few different words asks for this part of them. */
const OF_ALL = 0.2
/** What is meant to be a summary may carry this part: it can be in another language than the span. */
const MARKED = 0.25
/** An exact name tells more than a word. */
const NAME = 2

/**
 * Why a text carries too little of a span to stand for it, or `undefined`. There is a floor on its length, and on the
 * words and names of the span in it. Where nothing marks it as a summary it has to tell of more than the end of the span,
 * and must not end by asking. How the figures were measured is in docs/summaries.md. `sources`: the texts of the span, in
 * order.
 */
export function carriesTooLittle({ text, isMarked, share = 1 }: Given, sources: readonly string[]): string | undefined {
  const size = Math.cbrt(sources.reduce((sum, source) => sum + estimateText(source), 0))
  const length = estimateText(text)
  const long = Math.min(MOST_LENGTH, LENGTH * size) * share
  if (length < long)
    return `it has about ${Math.round(length)} tokens, and less than ${Math.round(long)} says too little`
  const own = contentWords(text)
  const known = contentWords(sources.join('\n'))
  const carried = countIn(own, known) + NAME * namesIn(text, sources)
  const rich = Math.min(MOST_WORDS, WORDS * size, known.size * OF_ALL) * share * (isMarked ? MARKED : 1)
  if (carried < rich) return `it carries next to no words or names of what it is about`
  if (isMarked) return undefined
  if (QUESTION.test(text)) return 'it ends by asking something'
  return isAboutAll(own, sources) ? undefined : 'it tells of the end of it alone, as one that goes on with the work'
}

/** Behind what is quoted a question mark is not the end. */
const QUESTION = /[?？؟⸮][\s*_]{0,8}$/

const WORD = /[\p{L}\p{M}\p{N}_]+/gu
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const SHORTEST = 4
/** Endings differ. */
const STEM = 7
const LONGEST = 40

/** Words that are long enough to tell something, without their endings; pairs of characters where no spaces part words. */
function contentWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (word.length > LONGEST && !UNSPACED.test(word)) continue
    if (!UNSPACED.test(word)) {
      if (word.length >= SHORTEST) words.add(word.slice(0, STEM))
      continue
    }
    for (let at = 0; at + 1 < word.length; at++) words.add(word.slice(at, at + 2))
  }
  return words
}

function countIn(words: ReadonlySet<string>, known: ReadonlySet<string>): number {
  let count = 0
  for (const word of words) if (known.has(word)) count += 1
  return count
}

function namesIn(text: string, sources: readonly string[]): number {
  const names = new Set(findIdentifiers(text))
  return [...names].filter((name) => sources.some((source) => source.includes(name))).length
}

const PARTS = 3
/** Texts below this number have no beginning, middle and end to speak of. */
const FEWEST_TEXTS = 6
const LEAST_EARLIER = 2
const EARLIER_SHARE = 0.3

/** Of the words that stand in one third of a span only, some are from the first two. */
function isAboutAll(own: ReadonlySet<string>, sources: readonly string[]): boolean {
  if (sources.length < FEWEST_TEXTS) return true
  const edge = (part: number) => Math.floor((sources.length * part) / PARTS)
  const thirds = Array.from({ length: PARTS }, (_, part) =>
    contentWords(sources.slice(edge(part), edge(part + 1)).join('\n')),
  )
  const counts = thirds.map(
    (third) =>
      [...own].filter((word) => third.has(word) && !thirds.some((each) => each !== third && each.has(word))).length,
  )
  const all = counts.reduce((sum, count) => sum + count, 0)
  const earlier = all - (counts.at(-1) ?? 0)
  const wanted = Math.min(LEAST_EARLIER, distinctBefore(thirds))
  return earlier >= wanted && earlier >= all * EARLIER_SHARE
}

/** Words of the first two thirds that the last has not: where there are few, few are asked for. */
function distinctBefore(thirds: readonly ReadonlySet<string>[]): number {
  const last = thirds.at(-1) ?? new Set()
  return [...new Set(thirds.slice(0, -1).flatMap((third) => [...third]))].filter((word) => !last.has(word)).length / 20
}
