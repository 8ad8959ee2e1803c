import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { array, assert, asyncProperty, nat, string } from 'fast-check'
import { expect, it } from 'vitest'
import { readLog } from '../../src/log/checkpoint.js'
import { fileStore } from '../../src/node/file-store.js'
import { mendLog, readEntries } from '../../src/node/read-log.js'
import type { Entry } from '../../src/types/log.js'
import { all, folded, never, user } from './entries.js'
import { PROJECT, placeOf } from './log-path.js'
import { temporaryHome } from './temporary-home.js'

/** Writes batches, and gives the bytes of the log with the offset at which each batch ends. */
async function written(home: string, batches: readonly (readonly Entry[])[]) {
  const session = await fileStore({ home, project: PROJECT }).open('one', never)
  const ends: number[] = []
  for (const batch of batches) {
    await session.append(batch)
    ends.push(readFileSync(placeOf(home, 'one').log).length)
  }
  await session.close()
  return { bytes: readFileSync(placeOf(home, 'one').log), ends }
}

/** Opens a log that was cut, and goes on with it. */
async function reopened(home: string) {
  const notices: string[] = []
  const store = fileStore({ home, project: PROJECT, report: ({ text }) => notices.push(text) })
  const session = await store.open('one', never)
  const entries = await all(session.read())
  await session.append([user('after')])
  const after = await all(session.read())
  await session.close()
  return { entries, after, notices }
}

const batches = Array.from({ length: 30 }, (_, index) =>
  Array.from({ length: index % 9 === 0 ? 2 : 1 }, (_, number) =>
    user(`${index}.${number}`, index % 7 === 0 ? 'ü\n' : ''),
  ),
)

it('mends a log that was cut at any byte, and keeps every batch before the cut', async () => {
  const home = temporaryHome()
  const { log } = placeOf(home, 'one')
  const { bytes, ends } = await written(home, batches)
  for (let cut = bytes.length; cut >= 0; cut--) {
    writeFileSync(log, bytes.subarray(0, cut))
    const whole = ends.filter((end) => end <= cut)
    const { end, torn } = await mendLog(log)
    expect({ end, torn, size: statSync(log).size }).toEqual({
      end: cut - torn,
      torn: cut - (whole.at(-1) ?? 0),
      size: end,
    })
    expect(await all(readEntries(log, end))).toEqual(batches.slice(0, whole.length).flat())
  }
})

it('goes on behind the last whole batch, and reports what it dropped', async () => {
  const home = temporaryHome()
  const { bytes, ends } = await written(home, batches)
  for (let cut = bytes.length; cut >= 0; cut -= 29) {
    writeFileSync(placeOf(home, 'one').log, bytes.subarray(0, cut))
    const whole = ends.filter((end) => end <= cut)
    const { entries, after, notices } = await reopened(home)
    const expected = batches.slice(0, whole.length).flat()
    expect(entries).toEqual(expected)
    expect(after).toEqual([...expected, user('after')])
    expect(notices).toHaveLength(cut === (whole.at(-1) ?? 0) ? 0 : 1)
  }
})

it('opens whatever was written and wherever it is cut', async () => {
  const text = string({ maxLength: 2000, unit: 'binary' })
  const home = temporaryHome()
  await assert(
    asyncProperty(array(array(text, { minLength: 1, maxLength: 3 }), { minLength: 1 }), nat(), async (texts, where) => {
      const made = texts.map((some, index) => some.map((each, number) => user(`${index}.${number}`, each)))
      rmSync(placeOf(home, 'one').log, { force: true })
      const { bytes, ends } = await written(home, made)
      const cut = where % (bytes.length + 1)
      truncateSync(placeOf(home, 'one').log, cut)
      const expected = made.slice(0, ends.filter((end) => end <= cut).length).flat()
      expect((await reopened(home)).entries).toEqual(JSON.parse(JSON.stringify(expected)))
    }),
    { numRuns: 60, seed: 20_261_116 },
  )
})

it('falls back to the checkpoint before one that was torn', async () => {
  const home = temporaryHome()
  const { bytes } = await written(home, [
    [user('a'), user('b')],
    [...folded('f1', 'b')],
    [user('c')],
    [...folded('f2', 'c')],
  ])
  truncateSync(placeOf(home, 'one').log, bytes.length - 1)
  const session = await fileStore({ home, project: PROJECT }).open('one', never)
  const { entries } = await readLog(session)
  expect(entries.slice(-4).map(({ id }) => id)).toEqual(['b', 'f1', 'f1-checkpoint', 'c'])
  await session.close()
})
