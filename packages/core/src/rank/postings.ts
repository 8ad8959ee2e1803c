import type { Passage } from './words.js'

/** Where each word stands: passages by number, kept up text by text. */
export interface Postings {
  /** Passages there are, and the words in all of them. */
  readonly count: number
  readonly words: number
  /** By the number of a passage: its text, or -1 where it is gone; and its words. */
  readonly textOf: readonly number[]
  readonly lengthOf: readonly number[]
  /** The passages that have a word, in the order of their numbers, those that are gone among them. */
  of(term: string): readonly Posting[]
  /** How many passages have a word. */
  countOf(term: string): number
  has(text: number, term: string): boolean
  add(text: number, passages: readonly Passage[]): void
  remove(text: number): void
}

/** A passage and how often it has the word in one number: the lists are small that way, and fast to read. */
type Posting = number

/** The bits of a posting that say how often; more often counts no more. */
const TIMES = 6
const MOST_TIMES = 2 ** TIMES - 1

/** The number of a passage. */
export function passageOf(posting: Posting): number {
  return posting >>> TIMES
}

/** How often the passage has the word. */
export function timesOf(posting: Posting): number {
  return posting & MOST_TIMES
}

/** More than so many passages that are gone, and more than are left, are cleaned away: removing stays cheap. */
const GONE = 256

export function createPostings(): Postings {
  let lists = new Map<string, Posting[]>()
  let textOf: number[] = []
  let lengthOf: number[] = []
  const firstOf = new Map<number, number>()
  let count = 0
  let words = 0
  const clean = () => {
    const cleaned = cleanPassages(textOf, lengthOf)
    lists = cleanLists(lists, cleaned.numbers)
    ;({ textOf, lengthOf } = cleaned)
    for (const [text, first] of firstOf) firstOf.set(text, cleaned.numbers[first] ?? 0)
  }
  const of = (term: string) => lists.get(term) ?? []
  return {
    get count() {
      return count
    },
    get words() {
      return words
    },
    get textOf() {
      return textOf
    },
    get lengthOf() {
      return lengthOf
    },
    of,
    countOf(term) {
      const list = of(term)
      if (count === textOf.length) return list.length
      return list.reduce((sum, posting) => (isThere(textOf, passageOf(posting)) ? sum + 1 : sum), 0)
    },
    has(text, term) {
      const first = firstOf.get(text)
      return first !== undefined && textOf[passageFrom(of(term), first)] === text
    },
    add(text, passages) {
      if (passages.length > 0) firstOf.set(text, textOf.length)
      for (const { length, counts } of passages) {
        for (const [term, times] of counts) {
          const posting = (textOf.length << TIMES) | Math.min(times, MOST_TIMES)
          const list = lists.get(term)
          if (list) list.push(posting)
          else lists.set(term, [posting])
        }
        textOf.push(text)
        lengthOf.push(length)
        count += 1
        words += length
      }
    },
    remove(text) {
      for (let passage = firstOf.get(text) ?? -1; passage >= 0 && textOf[passage] === text; passage++) {
        textOf[passage] = -1
        count -= 1
        words -= lengthOf[passage] ?? 0
      }
      firstOf.delete(text)
      if (textOf.length - count > Math.max(count, GONE)) clean()
    },
  }
}

function isThere(textOf: readonly number[], passage: number): boolean {
  return (textOf[passage] ?? -1) >= 0
}

/** The first passage of a list from a number on, or -1. */
function passageFrom(list: readonly Posting[], first: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passageOf(list[middle] ?? 0) < first) low = middle + 1
    else high = middle
  }
  const found = list[low]
  return found === undefined ? -1 : passageOf(found)
}

/** What is left of the passages, and by old numbers the new ones. */
function cleanPassages(textOf: readonly number[], lengthOf: readonly number[]) {
  const numbers: number[] = []
  const left = { textOf: [] as number[], lengthOf: [] as number[] }
  for (const [passage, text] of textOf.entries()) {
    numbers.push(text < 0 ? -1 : left.textOf.length)
    if (text < 0) continue
    left.textOf.push(text)
    left.lengthOf.push(lengthOf[passage] ?? 0)
  }
  return { ...left, numbers }
}

function cleanLists(lists: ReadonlyMap<string, readonly Posting[]>, numbers: readonly number[]) {
  const left = new Map<string, Posting[]>()
  for (const [term, list] of lists) {
    const kept: Posting[] = []
    for (const posting of list) {
      const passage = numbers[passageOf(posting)] ?? -1
      if (passage >= 0) kept.push((passage << TIMES) | timesOf(posting))
    }
    if (kept.length > 0) left.set(term, kept)
  }
  return left
}
