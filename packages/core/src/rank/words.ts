import { stemmer } from 'stemmer'
import { irregularForms, stopWords } from './word-lists.js'

/** A word of a text, with what it is found by. */
export interface Word {
  /** In lower case, without the tail behind an apostrophe. */
  readonly text: string
  /** What the forms of a word have in common; empty where the word says nothing. */
  readonly stem: string
  /** Of a word that is not written in Latin letters: its letters. They are found in parts too, as words have no edges. */
  readonly letters?: readonly string[]
  /** The letter behind its last one, in writing without spaces. */
  readonly next?: string
  /** Whether a sentence begins here. */
  readonly isFirst: boolean
}

/** The words that count, as stems: in lower case, tails behind apostrophes cut, stop words left out. */
export function contentStems(text: string): readonly string[] {
  return wordsOf(text).flatMap(({ stem }) => (stem === '' ? [] : [stem]))
}

/** All words of a text in their order. */
export function wordsOf(text: string): readonly Word[] {
  const lower = text.toLowerCase()
  const words: Word[] = []
  let end = 0
  for (const match of lower.matchAll(ASCII.test(lower) ? ASCII_WORD : ANY_WORD)) {
    const isFirst = SENTENCE_END.test(lower.slice(end, match.index))
    end = match.index + match[0].length
    const other = match[2]
    if (other === undefined) words.push(latinWord(match[1] ?? '', isFirst))
    else for (const word of otherWords(other, isFirst)) words.push(word)
  }
  return words
}

const ASCII = /^[\0-\x7f]*$/
/** A word, and the tail that is no part of it. */
const ASCII_WORD = /([a-z0-9]+)(?:'[a-z]+)*/g
/** The same with all Latin letters, or else a run of what is neither Latin nor space nor punctuation. */
const ANY_WORD =
  /([\p{Script=Latin}0-9][\p{Script=Latin}0-9\p{Mn}]*)(?:['’]\p{Script=Latin}+)*|([^\p{Script=Latin}\p{ASCII}\p{P}\p{Z}\p{C}]+)/gu
const SENTENCE_END = /[.!?…]["'”’)\]*_]*\s|[\n。！？।]/

function latinWord(word: string, isFirst: boolean): Word {
  const text = ASCII.test(word) ? word : word.normalize('NFKD').replace(/\p{M}/gu, '')
  return { text, stem: stemOf(text), isFirst }
}

/** Stems of words that were met, since most words are met again. */
const stems = new Map<string, string>()
const MOST_STEMS = 20_000

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const stem = stopWords.has(word) ? '' : /\d/.test(word) ? word : stemmer(irregularForms.get(word) ?? word)
  stems.set(word, stem)
  return stem
}

/** One splitter for all: to make one takes longer than to use it. */
let splitter: Intl.Segmenter | undefined

/** Words of a run of letters, by what is known of its language: most such writing has no spaces. */
function otherWords(run: string, isFirst: boolean): readonly Word[] {
  splitter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  // A sigma at the end of a word is the same letter.
  const parts = [...splitter.segment(run.replaceAll('ς', 'σ'))].map(({ segment }) => segment)
  return parts.map((text, index) => {
    const next = parts[index + 1]?.codePointAt(0)
    return {
      text,
      stem: text,
      letters: [...text],
      ...(next !== undefined && { next: String.fromCodePoint(next) }),
      isFirst: isFirst && index === 0,
    }
  })
}

/** A part of a text that is about one thing, as far as a few sentences are. */
export interface Passage {
  /** How many words count. */
  readonly length: number
  /** How often each stem, and each pair of letters of other writing, stands in it. */
  readonly counts: ReadonlyMap<string, number>
}

const PASSAGE_WORDS = 60

/** A text in passages of at most 60 words that end with a sentence where they can. */
export function passagesOf(text: string): readonly Passage[] {
  const passages: Passage[] = []
  let passage: Word[] = []
  let sentence: Word[] = []
  const close = () => {
    if (passage.some(({ stem }) => stem !== '')) passages.push(countWords(passage))
    passage = []
  }
  const endSentence = () => {
    if (passage.length + sentence.length > PASSAGE_WORDS) close()
    passage.push(...sentence)
    sentence = []
  }
  for (const word of wordsOf(text)) {
    if (word.isFirst || sentence.length === PASSAGE_WORDS) endSentence()
    sentence.push(word)
  }
  endSentence()
  close()
  return passages
}

function countWords(words: readonly Word[]): Passage {
  const counts = new Map<string, number>()
  const count = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1)
  let length = 0
  for (const { stem, letters, next } of words) {
    if (stem === '') continue
    length += 1
    count(stem)
    if (!letters) continue
    for (const letter of letters) count(PARTS + letter)
    for (const pair of pairsOf(next === undefined ? letters : [...letters, next])) count(pair)
  }
  return { length, counts }
}

/** Before parts of words, so that none is taken for a word. */
const PARTS = '\u0001'

function pairsOf(letters: readonly string[]): string[] {
  return letters.slice(1).map((letter, index) => `${PARTS}${letters[index]}${letter}`)
}

/** The parts of a word that a text has if it has the word anywhere, inside of another one too. */
export function partsOf({ letters = [] }: Word): readonly string[] {
  return letters.length === 1 ? letters.map((letter) => PARTS + letter) : pairsOf(letters)
}
