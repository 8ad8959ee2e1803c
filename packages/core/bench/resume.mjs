import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSession, definePlugin, foldDraft } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { entries, median, silentModel } from './support.mjs'

const MESSAGES = 50_000
const SIZE = 2_000
const TAIL = 2_000
const BATCH = 10
const CHILD = fileURLToPath(new URL('./resume-child.mjs', import.meta.url))

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
    await write(fileStore({ home, project: 'bench' }))
    const child = fork(CHILD, [home, await logIn(home), String(TAIL / MESSAGES)])
    const [{ size, tail, times }] = await once(child, 'message')
    const of = (name) => median(times.map((time) => time[name]))
    const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
    return [
      {
        name: `resuming a log of ${megabytes(size)} against reading its tail`,
        ratio: of('resumed') / of('tail'),
        limit: 2,
        detail: `${of('resumed').toFixed(1)} ms for a tail of ${megabytes(tail)}`,
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

/** @param {string} folder @returns {Promise<string>} */
async function logIn(folder) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith('.jsonl')) return join(entry.parentPath ?? entry.path, entry.name)
  }
  throw new Error(`No log in ${folder}`)
}
