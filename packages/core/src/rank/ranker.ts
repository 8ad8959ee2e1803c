import { createNeighbours } from './neighbours.js'
import { createPostings } from './postings.js'
import { dayOf, readQuery } from './read-query.js'
import { createScores } from './scores.js'
import { passagesOf, type Word, wordsOf } from './words.js'

/** A text that can be found: a message of a log, or a memory. */
export interface RankedText {
  readonly id: string
  readonly text: string
  /** Who said it. A name has a capital; a role such as 'user' is only meant by `user` of `RankOptions`. */
  readonly speaker?: string
  /** What stands together, such as a session: neighbours are those of the same group, in the order they were added. */
  readonly group?: string
  /** Milliseconds since 1970. */
  readonly time?: number
}

/** A text that was found. */
export interface Found {
  readonly id: string
  /** Compares with those of the same query only. */
  readonly score: number
  /**
   * The share of the query's weight, rare words weighing more, that the text itself has, from 0 to 1: it tells what fits
   * from what is merely the best there is. A text that was found by its neighbours alone has 0.
   */
  readonly share: number
  /** The words of the query that it has, as stems. */
  readonly words: readonly string[]
}

export interface RankOptions {
  /** How many at most; 10 unless told. */
  readonly limit?: number
  /** The speaker that 'I', 'my' and 'we' mean. */
  readonly user?: string
}

/** Ranks texts by the words they share with a query, without a model. It keeps where words stand, not the texts. */
export interface Ranker {
  readonly size: number
  /** A known id is replaced: in its place if the group is the same, else at the end of the new one. */
  add(text: RankedText): void
  remove(id: string): void
  /** The best first; of equals the one that was added last. */
  rank(query: string, options?: RankOptions): readonly Found[]
}

const LIMIT = 10

/** A ranker without texts. */
export function createRanker(): Ranker {
  const postings = createPostings()
  const neighbours = createNeighbours()
  const speakers = createSpeakers()
  const scores = createScores(postings, neighbours)
  const texts = new Map<string, number>()
  const kept: (Kept | undefined)[] = []
  const free: number[] = []
  let added = 0

  const remove = (id: string) => {
    const text = texts.get(id)
    if (text === undefined) return
    texts.delete(id)
    postings.remove(text)
    neighbours.remove(text)
    speakers.remove(kept[text]?.speaker)
    kept[text] = undefined
    free.push(text)
  }
  return {
    get size() {
      return texts.size
    },
    add({ id, text: content, speaker, group, time }) {
      const old = kept[texts.get(id) ?? -1]
      if (old && old.group !== group) remove(id)
      const text = texts.get(id) ?? free.pop() ?? kept.length
      const isKnown = texts.has(id)
      const passages = passagesOf(content)
      const words = passages.reduce((sum, { length }) => sum + length, 0)
      const placed = { group, words, day: time === undefined ? undefined : dayOf(time) }
      if (isKnown) neighbours.change(text, placed)
      else neighbours.add(text, placed)
      if (isKnown) postings.remove(text)
      postings.add(text, passages)
      speakers.add(speaker)
      if (isKnown) speakers.remove(old?.speaker)
      texts.set(id, text)
      kept[text] = { id, speaker, group, order: isKnown && old ? old.order : added++ }
    },
    remove,
    rank(query, { limit = LIMIT, user } = {}) {
      const asked = readQuery(query, speakers.names(), user)
      const known = {
        isSaid: (text: number) => asked.speakers.has(kept[text]?.speaker ?? ''),
        orderOf: (text: number) => kept[text]?.order ?? 0,
      }
      return scores.best(asked, limit, known).map(({ text, score, share }) => ({
        id: kept[text]?.id ?? '',
        score,
        share,
        words: scores.wordsIn(text, asked),
      }))
    },
  }
}

interface Kept {
  readonly id: string
  readonly speaker: string | undefined
  readonly group: string | undefined
  readonly order: number
}

/** Those who said something that is there, with the words of their names. */
function createSpeakers() {
  const known = new Map<string, { texts: number; readonly name: readonly Word[] }>()
  return {
    names: () => known,
    add(speaker: string | undefined) {
      if (speaker === undefined) return
      const { texts, name } = known.get(speaker) ?? { texts: 0, name: wordsOf(speaker) }
      known.set(speaker, { texts: texts + 1, name })
    },
    remove(speaker: string | undefined) {
      const one = speaker === undefined ? undefined : known.get(speaker)
      if (speaker === undefined || !one) return
      one.texts -= 1
      if (one.texts === 0) known.delete(speaker)
    },
  }
}
