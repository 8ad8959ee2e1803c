import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession, definePlugin, foldDraft } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { entries, median, silentModel } from './support.mjs'

const MESSAGES = 50_000
const SIZE = 2_000
const TAIL = 2_000
const ROUNDS = 15
const BATCH = 10

/** Folds all but the last rounds when asked. */
const folding = definePlugin({
  name: 'folding',
  setup: () => ({
    reliefs: [
      {
        name: 'folding',
        rung: 'summary',
        offer(view) {
          const rounds = view.rounds.slice(0, -TAIL / 2)
          const span = { from: rounds[0].span.from, to: rounds.at(-1).span.to }
          return { span, frees: 1, dollars: 0, draft: () => foldDraft(view, span, 'All that came before.') }
        },
      },
    ],
  }),
})

/** A log of 100 MB with a fold near its end is resumed from its tail. @returns {Promise<import('./support.mjs').Row[]>} */
export async function measureResume() {
  const home = await mkdtemp(join(tmpdir(), 'nacre-bench-'))
  try {
    const store = fileStore({ home, project: 'bench' })
    await write(store)
    const path = await logIn(home)
    const { size } = await stat(path)
    const from = await tailStart(path, size)
    const ratios = []
    const times = []
    for (let round = 0; round <= ROUNDS; round++) {
      const tail = await timed(() => readTail(path, from, size))
      const resumed = await timed(() => resume(store))
      if (round > 0) ratios.push(resumed / tail)
      if (round > 0) times.push(resumed)
    }
    const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
    return [
      {
        name: `resuming a log of ${megabytes(size)} against reading its tail`,
        ratio: median(ratios),
        limit: 2,
        detail: `${median(times).toFixed(1)} ms for a tail of ${megabytes(size - from)}`,
      },
    ]
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** @param {import('@nacre/core/node').FileStore} store */
async function write(store) {
  const log = await store.open('bench', new AbortController().signal)
  const all = entries(MESSAGES, SIZE)
  for (let start = 0; start < all.length; start += BATCH) await log.append(all.slice(start, start + BATCH))
  await log.close()
  const session = await createSession({ model: silentModel(), plugins: [folding], store, open: { resume: 'bench' } })
  const outcome = await session.compact()
  if (!outcome.edit) throw new Error(`The fold was not made: ${JSON.stringify(outcome)}`)
  await session.close()
}

/** @param {import('@nacre/core/node').FileStore} store */
async function resume(store) {
  const session = await createSession({ model: silentModel(), plugins: [folding], store, open: { resume: 'bench' } })
  const { length } = session.view().rounds
  if (length < TAIL / 2) throw new Error(`Only ${length} rounds are in view.`)
  return () => session.close()
}

/** @param {() => Promise<(() => unknown) | undefined>} work what it returns is run after the clock has stopped */
async function timed(work) {
  const started = performance.now()
  const end = await work()
  const milliseconds = performance.now() - started
  await end?.()
  return milliseconds
}

/** @param {string} path @param {number} from @param {number} size */
async function readTail(path, from, size) {
  const handle = await open(path)
  const buffer = Buffer.alloc(size - from)
  await handle.read(buffer, 0, buffer.length, from)
  await handle.close()
  const lines = buffer.toString().split('\n')
  const batches = lines.flatMap((line) => (line ? [JSON.parse(line)] : []))
  // Kept until the clock has stopped, as whoever reads a log keeps it.
  return () => batches
}

/** Where the first line of the tail begins. @param {string} path @param {number} size */
async function tailStart(path, size) {
  const wanted = Math.round((size * TAIL) / MESSAGES)
  const handle = await open(path)
  const buffer = Buffer.alloc(wanted)
  await handle.read(buffer, 0, wanted, size - wanted)
  await handle.close()
  return size - wanted + buffer.indexOf('\n') + 1
}

/** @param {string} folder @returns {Promise<string>} */
async function logIn(folder) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.jsonl')) return join(entry.parentPath ?? entry.path, entry.name)
  }
  throw new Error(`No log in ${folder}`)
}
