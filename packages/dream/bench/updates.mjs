// Dreams over pairs of statements of which the later one updates or contradicts the earlier: the earlier one has to end
// as superseded, by the dream or by a person who accepts, and never as deleted. Once with a model that knows which two
// belong together, which shows what the rules make of a right answer, and once with the offline model, which knows only
// words. The statements are raw sentences of chats, the one of each message that fits the question best. On BEAM, which is for benchmarks only:
// node bench/updates.mjs --data <folder>, or NACRE_DATA=<folder>; ../shared/data beside the repository unless told.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRanker } from '@nacre/core'
import { offline, scripted } from '@nacre/simulator'
import { ask, setStage } from './stage.mjs'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const beside = join(fileURLToPath(new URL('../../..', import.meta.url)), '..', 'shared', 'data')
const folder = join(values.data ?? process.env.NACRE_DATA ?? beside, 'beam')
const say = (text = '') => process.stdout.write(`${text}\n`)
const DAY = 86_400_000
const SUPERSEDE = {
  command: 'supersede',
  path: '/memories/older.md',
  by: '/memories/newer.md',
  reason: 'the later word',
}
const START = Date.parse('2026-10-01T10:00:00Z')

if (!existsSync(folder)) {
  say(`No BEAM in ${folder}: name the data folder with --data or NACRE_DATA. Nothing was measured on it.`)
} else {
  let lost = 0
  for (const kind of ['knowledge_update', 'contradiction_resolution']) {
    for (const who of ['knowing', 'offline']) lost += await measure(kind, who)
  }
  process.exitCode = lost > 0 ? 1 : 0
}

/** @param {string} kind @param {'knowing' | 'offline'} who */
async function measure(kind, who) {
  const pairs = readdirSync(folder).flatMap((chat) => pairsOf(chat, kind))
  const ends = { made: 0, asked: 0, left: 0 }
  let [lost, dollars] = [0, 0]
  for (const pair of pairs) {
    const result = await dreamOf(pair, who)
    ends[result.end] += 1
    lost += result.lost
    dollars += result.dollars
  }
  say(`${kind}, ${who} model: ${pairs.length} pairs`)
  say(
    `  superseded by the dream ${ends.made}, by a person who accepts ${ends.asked}, refused or left side by side ${ends.left}; facts lost ${lost}`,
  )
  say(`  a night costs $${(dollars / Math.max(1, pairs.length)).toFixed(4)} at the prices of Opus 5.5`)
  return lost
}

/** What the user said first and later, each as the sentence that fits the question best. */
function pairsOf(chat, kind) {
  const messages = new Map()
  for (const { turns } of readJson(join(folder, chat, 'chat.json'))) {
    for (const { id, role, content } of turns.flat())
      if (role === 'user') messages.set(id, content.replace(/\s*->->\s*[\d,\s]*$/, ''))
  }
  const asked = readJson(join(folder, chat, 'probing_questions.json'))[kind] ?? []
  return asked.flatMap(({ question, source_chat_ids: ids }) => {
    const [first, second] = Object.values(ids).map((list) =>
      list.map((id) => messages.get(id)).find((text) => text !== undefined),
    )
    if (first === undefined || second === undefined) return []
    const [older, newer] = [bestSentence(first, question), bestSentence(second, question)]
    return older === newer ? [] : [{ older, newer }]
  })
}

function bestSentence(text, question) {
  const sentences = text
    .match(/[^.!?\n]+[.!?]?/g)
    ?.map((each) => each.trim())
    .filter((each) => each.length > 15) ?? [text]
  const ranker = createRanker()
  for (const [index, sentence] of sentences.entries())
    ranker.add({ id: String(index), text: sentence, group: String(index) })
  return sentences[Number(ranker.rank(question, { limit: 1 })[0]?.id ?? 0)].slice(0, 450)
}

function modelOf(who) {
  const model = offline()
  return scripted((turn) => {
    if (turn.source === 'main') return 'I see.'
    if (who === 'offline') return model(turn)
    return JSON.stringify(turn.messages.at(-1)).includes('"tool_result"')
      ? 'Done.'
      : [{ type: 'tool_use', name: 'memory', input: SUPERSEDE }]
  })
}

async function dreamOf({ older, newer }, who) {
  const stage = await setStage(modelOf(who), START)
  try {
    const files = []
    for (const [id, text] of [
      ['older', older],
      ['newer', newer],
    ]) {
      const session = await stage.open({ flags: { 'dream.extract': false, 'dream.consolidate': false } })
      await ask(session, text)
      await session.close()
      const entry = (await stage.store.peek(session.id)).find(({ kind }) => kind === 'user')
      files.push([`${id}.md`, fileOf(id, text, { session: session.id, entry: entry.id }, new Date(stage.now))])
      stage.now += DAY
    }
    const memories = await stage.memories()
    await (await memories.folders.project.repository()).change({ by: 'person', summary: 'Laid' }, () => new Map(files))
    const session = await stage.open()
    await session.command('dream')
    const { dollars } = session.cost('dream')
    await session.close()
    const isSuperseded = async () =>
      (await memories.list({ withArchive: true })).some(
        ({ memory }) => memory.id === 'older' && memory.gone?.how === 'superseded',
      )
    let end = (await isSuperseded()) ? 'made' : 'left'
    for (const { item } of end === 'left' ? await memories.inbox() : []) {
      await memories.accept(item.id)
      if (await isSuperseded()) end = 'asked'
    }
    const all = (await memories.list({ withArchive: true })).map(({ memory }) => memory.id)
    return { end, dollars, lost: ['older', 'newer'].filter((id) => !all.includes(id)).length }
  } finally {
    await stage.close()
  }
}

function fileOf(id, text, { session, entry }, time) {
  const day = time.toISOString().slice(0, 10)
  const evidence = JSON.stringify([{ session, entry, by: 'user', quote: text }])
  return `---\nid: ${id}\nname: The ${id} statement\ndescription: ${JSON.stringify(text.slice(0, 80))}\ntype: project\nsource: ${evidence}\ncreated: ${day}\nconfirmed: ${day}\n---\n${text}\n`
}

/** Some of the files have commas behind the last item. */
function readJson(path) {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(text.replace(/,(\s*[\]}])/g, '$1'))
  }
}
