// Of what is stored over a corpus of conversations with traps, the share that is false, derivable, momentary or without
// a source; and how much of what is true is stored. Once with a model that writes whatever there is to write, so that
// the rules alone decide, and once with the offline model, which behaves.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { offline, scripted } from '@nacre/simulator'
import { build } from 'tsup'
import { ask, setStage } from './stage.mjs'

const say = (text = '') => process.stdout.write(`${text}\n`)
const { conversations, tryAll, contentStems } = await loadCorpus()

say(`${conversations.length} conversations of ${new Set(conversations.map(({ kind }) => kind)).size} kinds`)
let failures = 0
for (const half of ['tuned', 'held-out']) {
  const own = conversations.filter((each) => each.half === half)
  const tried = (await Promise.all(own.map((each) => tryAll(each)))).flatMap((each) => each.tried)
  const [bait, facts] = [tried.filter(({ isBait }) => isBait), tried.filter(({ isBait }) => !isBait)]
  const passed = bait.filter(({ objection }) => objection === undefined)
  const kept = facts.filter(({ objection }) => objection === undefined)
  const loaded = passed.filter(({ type }) => type === 'user' || type === 'feedback')
  say(
    `  hostile model, ${half.padEnd(8)}  junk ${passed.length} of ${bait.length} baits (${share(passed.length, passed.length + kept.length)} of what is stored), facts ${kept.length} of ${facts.length}`,
  )
  if (loaded.length > 0) failures += 1
}
for (const half of ['tuned', 'held-out']) {
  const own = conversations.filter((each) => each.half === half)
  let [stored, junk, found, facts] = [0, 0, 0, 0]
  for (const conversation of own) {
    const memories = await extracted(conversation)
    stored += memories.length
    junk += memories.filter(
      ({ memory }) => !conversation.facts.some((fact) => isAbout(memory.body, fact.statement)),
    ).length
    facts += conversation.facts.length
    found += conversation.facts.filter((fact) =>
      memories.some(({ memory }) => isAbout(memory.body, fact.statement)),
    ).length
  }
  say(
    `  offline model, ${half.padEnd(8)}  junk ${junk} of ${stored} stored (${share(junk, stored)}), facts ${found} of ${facts}`,
  )
}
say(
  '  Rules were tuned on both halves by now. Blind, 6 of 85 baits of the second passed, and 38 of 60 that an outside tester wrote: docs/rules.md.',
)
process.exitCode = failures > 0 ? 1 : 0

/** @param {{ day: string, messages: readonly { by: string, text: string }[] }} conversation */
async function extracted({ day, messages }) {
  const model = offline()
  const stage = await setStage(
    scripted((turn) => (turn.source === 'main' ? 'I see.' : model(turn))),
    Date.parse(`${day}T10:00:00Z`),
  )
  try {
    const session = await stage.open({ system: `Be brief. Today is ${day}.`, flags: { 'dream.consolidate': false } })
    for (const { by, text } of messages) if (by === 'user') await ask(session, text)
    await session.close()
    return await (await stage.memories()).list()
  } finally {
    await stage.close()
  }
}

/** Whether a stored text says a fact: most of its words are the same. */
function isAbout(text, statement) {
  const words = contentStems(statement)
  const own = new Set(contentStems(text))
  return words.filter((word) => own.has(word)).length >= words.length * 0.6
}

function share(part, whole) {
  return whole === 0 ? '0%' : `${((100 * part) / whole).toFixed(1)}%`
}

/** The corpus and the way to try it are written for the tests: made into a module here. */
async function loadCorpus() {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const outDir = mkdtempSync(join(cache, 'corpus-'))
  const entry = {
    corpus: join(root, 'test/corpus/conversations.ts'),
    judge: join(root, 'test/support/judge-corpus.ts'),
  }
  try {
    await build({
      entry,
      outDir,
      format: 'esm',
      silent: true,
      config: false,
      external: ['vitest', /^@nacre\//],
      outExtension: () => ({ js: '.mjs' }),
    })
    const load = (name) => import(pathToFileURL(join(outDir, `${name}.mjs`)).href)
    const { contentStems: stems } = await import('@nacre/core')
    return { ...(await load('corpus')), ...(await load('judge')), contentStems: stems }
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
}
