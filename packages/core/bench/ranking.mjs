// How much of the evidence for a question is among the first that the ranker gives, beside plain BM25 and the last
// that was said: node bench/ranking.mjs --data <folder>, or NACRE_DATA=<folder>; ../shared/data beside the repository
// unless told. And how long it takes, beside MiniSearch.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRanker } from '@nacre/core'
import { lastSaid, plainBm25 } from './ranking-baselines.mjs'
import { readBeam, readLocomo } from './ranking-data.mjs'
import { measureSpeed } from './ranking-speed.mjs'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const beside = join(fileURLToPath(new URL('../../..', import.meta.url)), '..', 'shared', 'data')
const folder = values.data ?? process.env.NACRE_DATA ?? beside

const AT = [5, 10, 20]
const AIM = 0.15
const say = (text = '') => process.stdout.write(`${text}\n`)
let failures = 0

/** @param {string} what @param {boolean} holds */
function must(what, holds) {
  say(`  ${holds ? 'ok  ' : 'MISS'}  ${what}`)
  if (!holds) failures += 1
}

const locomo = readLocomo(folder)
if (locomo) {
  const { ours } = report('LoCoMo, conversations 4 and 5', locomo.slice(3, 5))
  must('evidence among the first 10: at least .72', ours[10] >= 0.72)
} else say(`No LoCoMo in ${folder}: name the folder with --data or NACRE_DATA. Nothing was measured on it.`)
say()
const beam = readBeam(folder)
if (beam) {
  const { gaps } = report(`BEAM, ${beam.length} chats, seen in tuning`, beam)
  // The weights were chosen on chats of this set, so the figure proves nothing and fails nothing.
  for (const [name, gap] of Object.entries(gaps)) {
    const which = name === 'short' ? 'k1 .9, b .4' : 'k1 1.2, b .75'
    say(`  ${gap >= AIM ? 'ok  ' : 'less'}  aim: at least ${AIM} above plain BM25 (${which})`)
  }
} else say(`No BEAM in ${folder}: name the folder with --data or NACRE_DATA. Nothing was measured on it.`)
say()
const { ratio, detail } = measureSpeed()
say(`10,000 memories: ${ratio.toFixed(2)} of the time of MiniSearch (${detail})`)
must('at most 1.5', ratio <= 1.5)
process.exitCode = failures > 0 ? 1 : 0

/** @param {string} title @param {readonly import('./ranking-data.mjs').Conversation[]} conversations */
function report(title, conversations) {
  const rankings = {
    ours: ranker,
    short: ({ texts }) => plainBm25(texts, { k1: 0.9, b: 0.4 }),
    plain: ({ texts }) => plainBm25(texts, { k1: 1.2, b: 0.75 }),
    last: ({ texts }) => lastSaid(texts),
  }
  const names = {
    ours: 'this ranker',
    short: 'plain BM25, k1 .9, b .4',
    plain: 'plain BM25, k1 1.2, b .75',
    last: 'last said',
  }
  const results = Object.entries(rankings).map(([name, make]) => [
    name,
    conversations.flatMap((each) => asked(each, make)),
  ])
  const all = Object.fromEntries(results)
  say(`${title}: ${all.ours.length} questions`)
  say(`  ${''.padEnd(32)}${AT.map((at) => `at ${at}`.padStart(7)).join('')}`)
  for (const [name, each] of results) {
    const [low, high] = interval(each.map(({ recall }) => recall[10]))
    say(`  ${names[name].padEnd(32)}${line(each)}   at 10, 95%: ${low.toFixed(3)} to ${high.toFixed(3)}`)
  }
  for (const kind of [...new Set(all.ours.map((one) => one.kind))].sort()) {
    const of = all.ours.filter((one) => one.kind === kind)
    say(`    ${`${kind} (${of.length})`.padEnd(30)}${line(of)}`)
  }
  const above = (name) => all.ours.map(({ recall }, index) => recall[10] - all[name][index].recall[10])
  for (const name of ['short', 'plain']) {
    const [low, high] = interval(above(name))
    say(`  above ${names[name]} at 10: ${mean(above(name)).toFixed(3)}, 95%: ${low.toFixed(3)} to ${high.toFixed(3)}`)
  }
  return { ours: means(all.ours), gaps: { short: mean(above('short')), plain: mean(above('plain')) } }
}

/** @param {import('./ranking-data.mjs').Conversation} conversation */
function ranker({ texts, user }) {
  const ranker = createRanker()
  for (const text of texts) ranker.add(text)
  return (query, limit) => ranker.rank(query, { limit, ...(user && { user }) }).map(({ id }) => id)
}

/** The share of its evidence that each question finds. */
function asked(conversation, make) {
  const rank = make(conversation)
  return conversation.questions.map(({ text, kind, evidence }) => {
    const found = rank(text, Math.max(...AT))
    const share = (at) => found.slice(0, at).filter((id) => evidence.has(id)).length / evidence.size
    return { kind, recall: Object.fromEntries(AT.map((at) => [at, share(at)])) }
  })
}

function means(each) {
  return Object.fromEntries(AT.map((at) => [at, mean(each.map(({ recall }) => recall[at]))]))
}

function line(each) {
  return AT.map((at) => means(each)[at].toFixed(3).padStart(7)).join('')
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Where the mean lies in 95 of 100 samples of the same questions. @param {readonly number[]} values */
function interval(values) {
  let seed = 1
  const next = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  const sample = () => mean(values.map(() => values[Math.floor(next() * values.length)]))
  const sampled = Array.from({ length: 2_000 }, sample).sort((a, b) => a - b)
  return [sampled[49], sampled[1949]]
}
