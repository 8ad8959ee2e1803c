import { open, stat } from 'node:fs/promises'
import { createSession } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { silentModel } from './support.mjs'

/** Resumes a log, and reads its tail, in a process that has not written it. Tells the times of both. */
const ROUNDS = 31
/** Rounds before that: the first ones are spent on compiling. */
const WARM_UP = 10
const [home = '', path = '', share = '1'] = process.argv.slice(2)

const store = fileStore({ home, project: 'bench' })
const { size } = await stat(path)
const from = await tailStart(Math.round(size * Number(share)))
const times = []
for (let round = -WARM_UP; round < ROUNDS; round++) {
  const tail = await timed(readTail)
  const resumed = await timed(resume)
  if (round >= 0) times.push({ tail, resumed })
}
process.send?.({ size, tail: size - from, times })

async function resume() {
  const session = await createSession({ model: silentModel(), store, open: { resume: 'bench' } })
  return () => {
    if (session.view().rounds.length < 2) throw new Error('The tail is not in view.')
    return session.close()
  }
}

async function readTail() {
  const handle = await open(path)
  const buffer = Buffer.alloc(size - from)
  await handle.read(buffer, 0, buffer.length, from)
  await handle.close()
  const lines = buffer.toString().split('\n')
  const batches = lines.flatMap((line) => (line ? [JSON.parse(line)] : []))
  // Kept until the clock has stopped, as whoever reads a log keeps it.
  return () => batches
}

/** Where the first line of the tail begins. @param {number} wanted bytes */
async function tailStart(wanted) {
  const handle = await open(path)
  const buffer = Buffer.alloc(wanted)
  await handle.read(buffer, 0, wanted, size - wanted)
  await handle.close()
  return size - wanted + buffer.indexOf('\n') + 1
}

/** @param {() => Promise<() => unknown>} work what it returns is run after the clock has stopped */
async function timed(work) {
  const started = performance.now()
  const end = await work()
  const milliseconds = performance.now() - started
  await end()
  return milliseconds
}
