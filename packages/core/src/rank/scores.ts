import type { Neighbours } from './neighbours.js'
import { type Postings, passageOf, timesOf } from './postings.js'
import type { Asked, AskedWord } from './read-query.js'

/** A text with its score, and the share of the query's weight that it has. */
export interface Scored {
  readonly text: number
  readonly score: number
  readonly share: number
}

/** What is known of a text beside its words. */
export interface Known {
  /** Whether one of those said it that the query names. */
  isSaid(text: number): boolean
  /** Of texts with the same score the one with the higher number comes first. */
  orderOf(text: number): number
}

// Round weights, chosen once on conversations of two kinds and frozen since: docs/ranking.md says what they reach.
const K1 = 1
const B = 0.75
const BEFORE = 0.25
const TWO_BEFORE = 0.1
const BEHIND = 0.1
const WINDOW = 0.5
const GROUP = 0.8
const SAID_OWN = 2
const SAID = 1.2
const DATED = 1.2
/** What the letters of a word count beside the word itself, in writing whose words may have no edges. */
const PARTS = 0.5
/** Fewer of the parts of a word are in a text by chance. */
const ENOUGH_PARTS = 0.6
/** What has nothing of a query stays below what has all of it. */
const BELOW = 0.999

/** Scores texts for a query and gives the best. The work is that of the places where the words of the query stand. */
export function createScores(postings: Postings, neighbours: Neighbours) {
  const words = createWordScores(postings)
  const surroundings = createSurroundings(postings, neighbours)
  const totals = createSums()
  const { own, had } = words

  const total = (text: number, { isAsked }: Asked, { isSaid }: Known): number => {
    const ownOf = (each = -1) => (each < 0 ? 0 : own.of(each) * (isSaid(each) ? SAID_OWN : 1))
    const before = neighbours.before[text] ?? -1
    const isDated = isAsked !== undefined && neighbours.daysOf(text).some(isAsked)
    const beside =
      BEFORE * ownOf(before) + TWO_BEFORE * ownOf(neighbours.before[before]) + BEHIND * ownOf(neighbours.behind[text])
    const around = surroundings.of(text) ?? (WINDOW + GROUP) * own.of(text)
    return (ownOf(text) + beside + around) * (isSaid(text) ? SAID : 1) * (isDated ? DATED : 1)
  }
  /** Neighbours lend a text their score, but not so that it passes those that have all that was asked. */
  const limitLent = (asked: Asked): ((text: number) => number) => {
    const isWhole = (text: number) => words.whole.of(text) === asked.words.length
    const least = had.touched
      .filter(isWhole)
      .reduce((low, text) => Math.min(low, totals.of(text)), Number.POSITIVE_INFINITY)
    return (text) => (had.of(text) > 0 ? totals.of(text) : Math.min(totals.of(text), least * BELOW))
  }
  return {
    best(asked: Asked, limit: number, known: Known): readonly Scored[] {
      const weight = asked.words.reduce((sum, word) => sum + words.add(word), 0)
      words.settle()
      if (neighbours.totals.groups > 0) for (const { stem } of asked.words) surroundings.add(stem)
      for (const text of own.touched) totals.add(text, total(text, asked, known))
      for (const text of surroundings.touched) if (totals.of(text) === 0) totals.add(text, total(text, asked, known))
      const scoreOf = limitLent(asked)
      const best = bestOf(totals.touched, limit, (text) => ({ score: scoreOf(text), order: known.orderOf(text) }))
      const found = best.map(({ text, score }) => ({ text, score, share: Math.min(1, had.of(text) / weight) }))
      words.clear()
      surroundings.clear()
      totals.clear()
      return found
    },
    /** The words of the query that a text has. */
    wordsIn: (text: number, asked: Asked) =>
      asked.words
        .filter(({ stem, parts }) => {
          const has = (term: string) => postings.has(text, term)
          return has(stem) || (parts.length > 0 && parts.every(has))
        })
        .map(({ stem }) => stem),
  }
}

/** What texts have of the words of a query: the score of the best passage, the weight of the words, and how many. */
function createWordScores(postings: Postings) {
  const passages = createSums()
  const own = createSums()
  const had = createSums()
  const whole = createSums()
  const partsHad = createSums()

  /** Adds what stands in passages under a term to their scores, and to the texts. Gives its rarity. */
  const addTerm = (term: string, factor: number, add: (text: number, rarity: number) => void): number => {
    const rarity = rarityOf(postings.countOf(term), postings.count)
    const { textOf, lengthOf } = postings
    const scale = postings.count / postings.words
    let last = -1
    for (const posting of postings.of(term)) {
      const passage = passageOf(posting)
      const text = textOf[passage] ?? -1
      if (text < 0) continue
      passages.add(passage, factor * rarity * saturated(timesOf(posting), (lengthOf[passage] ?? 0) * scale))
      // The passages of a text are beside each other.
      if (text !== last) add(text, rarity)
      last = text
    }
    return rarity
  }
  const has = (text: number, weight: number) => {
    had.add(text, weight)
    whole.add(text, 1)
  }
  return {
    own,
    had,
    /** How many words of the query a text has. */
    whole,
    /** Gives the weight of the word. */
    add({ stem, parts }: AskedWord): number {
      if (parts.length === 0) return addTerm(stem, 1, has)
      const texts = new Set<number>()
      const weight = addTerm(stem, 1, (text, rarity) => {
        texts.add(text)
        has(text, rarity)
      })
      for (const part of parts) addTerm(part, PARTS / parts.length, (text) => partsHad.add(text, 1))
      for (const text of partsHad.touched) {
        const share = partsHad.of(text) / parts.length
        if (texts.has(text)) continue
        if (share === 1) has(text, weight)
        else if (share >= ENOUGH_PARTS) had.add(text, weight * share)
      }
      partsHad.clear()
      return weight
    },
    /** Once all words are added. */
    settle() {
      const { textOf } = postings
      for (const passage of passages.touched) {
        const text = textOf[passage] ?? 0
        const better = passages.of(passage) - own.of(text)
        if (better > 0) own.add(text, better)
      }
    },
    clear() {
      for (const sums of [passages, own, had, whole]) sums.clear()
    },
  }
}

/** What stands around texts that have neighbours: BM25 of the window and of the group that a text is in. */
function createSurroundings(postings: Postings, neighbours: Neighbours) {
  const windows = createSums()
  const groups = createSums()
  const counts = { windows: createSums(), groups: createSums() }
  const { before, behind, around, totals, groupOf } = neighbours

  const count = (term: string) => {
    for (const posting of postings.of(term)) {
      const text = postings.textOf[passageOf(posting)] ?? -1
      const group = text < 0 ? undefined : groupOf(text)
      if (!group) continue
      const times = timesOf(posting)
      counts.groups.add(group.number, times)
      counts.windows.add(text, times)
      for (const links of [before, behind]) {
        const next = links[text] ?? -1
        if (next < 0) continue
        counts.windows.add(next, times)
        const second = links[next] ?? -1
        if (second >= 0) counts.windows.add(second, times)
      }
    }
  }
  const score = (counted: Sums, scores: Sums, all: number, lengthOf: (at: number) => number) => {
    const rarity = rarityOf(counted.touched.length, all)
    for (const at of counted.touched) scores.add(at, rarity * saturated(counted.of(at), lengthOf(at)))
    counted.clear()
  }
  return {
    touched: windows.touched,
    add(term: string) {
      count(term)
      score(counts.windows, windows, totals.texts, (text) => ((around[text] ?? 0) * totals.texts) / totals.around)
      score(counts.groups, groups, totals.groups, (group) => (neighbours.wordsOf(group) * totals.groups) / totals.words)
    },
    /** Nothing where a text stands alone. */
    of(text: number): number | undefined {
      const group = groupOf(text)
      return group && WINDOW * windows.of(text) + GROUP * groups.of(group.number)
    },
    clear() {
      windows.clear()
      groups.clear()
    },
  }
}

/** How much it tells that one of all has a word which so many have. */
function rarityOf(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}

/** How much a word counts that stands there so many times, in a text of that length; the average one has the length 1. */
function saturated(times: number, length: number): number {
  return (times * (K1 + 1)) / (times + K1 * (1 - B + B * length))
}

interface Best {
  readonly text: number
  readonly score: number
  readonly order: number
}

/** The best, in order. */
function bestOf(texts: readonly number[], limit: number, rank: (text: number) => Omit<Best, 'text'>): readonly Best[] {
  return texts
    .map((text) => ({ text, ...rank(text) }))
    .sort((a, b) => b.score - a.score || b.order - a.order)
    .slice(0, limit)
}

/** Sums by small numbers, of which a few are added to and then forgotten: nothing else is ever touched. */
interface Sums {
  /** The numbers that were added to since the last clear, in the order in which they came. */
  readonly touched: readonly number[]
  /** Adds a value above 0. */
  add(at: number, value: number): void
  of(at: number): number
  clear(): void
}

function createSums(): Sums {
  let values = new Float64Array(64)
  const touched: number[] = []
  return {
    touched,
    add(at, value) {
      if (at >= values.length) {
        const grown = new Float64Array(2 * (at + 1))
        grown.set(values)
        values = grown
      }
      const sum = values[at] as number
      if (sum === 0) touched.push(at)
      values[at] = sum + value
    },
    of: (at) => values[at] ?? 0,
    clear() {
      for (const at of touched) values[at] = 0
      touched.length = 0
    },
  }
}
