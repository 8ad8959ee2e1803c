import { createRanker } from '@nacre/core'
import MiniSearch from 'minisearch'
import { median } from './support.mjs'

const TEXTS = 10_000
const QUERIES = 200
const LIMIT = 10

/** The time of a query over texts like memories, as a ratio to that of MiniSearch on the same texts, both indexed before. */
export function measureSpeed() {
  const random = randomFrom(7)
  const word = () => wordOf(random)
  const sentences = (count) =>
    Array.from({ length: count }, word)
      .join(' ')
      .replace(/((?:\S+ ){9,14}\S+) /g, '$1. ')
  const texts = Array.from({ length: TEXTS }, (_, index) => ({
    id: `m${index}`,
    text: sentences(40 + Math.floor(random() * 41)),
  }))
  const queries = Array.from({ length: QUERIES }, () =>
    Array.from({ length: 3 + Math.floor(random() * 6) }, word).join(' '),
  )
  const ranker = createRanker()
  for (const text of texts) ranker.add(text)
  const search = new MiniSearch({ fields: ['text'] })
  search.addAll(texts)
  const ours = (query) => ranker.rank(query, { limit: LIMIT })
  const theirs = (query) => search.search(query).slice(0, LIMIT)
  // Both are warm, and take turns, so that neither has the better moments.
  for (const query of queries) void [ours(query), theirs(query)]
  const times = queries.map((query) => [timeOf(() => ours(query)), timeOf(() => theirs(query))])
  const [own, other] = [median(times.map(([time]) => time)), median(times.map(([, time]) => time))]
  return {
    ratio: own / other,
    detail: `median of ${QUERIES} queries: ${own.toFixed(2)} ms beside ${other.toFixed(2)} ms`,
  }
}

function timeOf(work) {
  const started = performance.now()
  work()
  return performance.now() - started
}

function randomFrom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const COMMON =
  'the of and to a in is it you that was for on are with as at be this have from or had by not but what all were'.split(
    ' ',
  )
const SYLLABLES = 'ba ko mi tra len sor vi dun pel gra no ste wi lam cor fe ju ri hos tan'.split(' ')
const VOCABULARY = 8_000

/** Words as they are in texts: almost half of them say nothing, and a few of the others are far more frequent than most. */
function wordOf(random) {
  if (random() < 0.45) return COMMON[Math.floor(random() * COMMON.length)]
  let number = Math.floor(VOCABULARY ** random())
  let word = ''
  do {
    word += SYLLABLES[number % SYLLABLES.length]
    number = Math.floor(number / SYLLABLES.length)
  } while (number > 0)
  return `${word}n`
}
