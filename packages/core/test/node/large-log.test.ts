import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLog } from '../../src/log/checkpoint.js'
import { sessionSummary } from '../../src/node/list-sessions.js'
import { logFile } from '../../src/node/log-file.js'
import { encodeBatch, type ReadAt, withLog } from '../../src/node/log-lines.js'
import { mendLog, readTail, TITLE_REACH } from '../../src/node/read-log.js'
import { folded, title, user } from './entries.js'
import { temporaryHome } from './temporary-home.js'

const MEGABYTE = 1024 * 1024
const syncs = () => false

function never(): never {
  throw new Error('no blob is read')
}

/** A log of 100 MB: a first batch, then a hole that nobody could parse, then what the test appends. */
async function hollow() {
  const path = join(temporaryHome(), 'log.jsonl')
  writeFileSync(path, encodeBatch({ entries: [user('first', 'The first prompt', 1)] }))
  truncateSync(path, 100 * MEGABYTE)
  appendFileSync(path, '\n')
  appendFileSync(path, encodeBatch({ entries: [user('behind')] }))
  return { path, log: logFile({ path, tail: await mendLog(path), syncs }) }
}

function counting(read: ReadAt) {
  const counted = { bytes: 0 }
  const reading: ReadAt = async (position, length) => {
    counted.bytes += length
    return read(position, length)
  }
  return { counted, reading }
}

it('resumes a log of 100 MB from a fold near its end by reading the tail alone', async () => {
  const { log } = await hollow()
  for (let count = 0; count < 20; count++) await log.append([user(`kept ${count}`, 'x'.repeat(10_000))])
  await log.append([...folded('f', 'kept 10')])
  await log.append([user('last')])
  // The hole is no JSON: who read it would fail.
  const { entries } = await readLog({ ...log, put: never, get: never })
  const ids = entries.map(({ id }) => id)
  expect(ids.slice(ids.indexOf('kept 10'))).toHaveLength(13)
  expect(ids.at(-1)).toBe('last')
  expect(ids).not.toContain('kept 9')
  await log.close()
})

it('lists a log by its head and its tail, also when its title was given long ago', async () => {
  const { path, log } = await hollow()
  await log.append([title('t', 'Long ago')])
  for (let count = 0; count < 40; count++) await log.append([user(`${count}`, 'x'.repeat(10_000), 100 + count)])
  await log.append([user('big', 'x'.repeat(300_000), 200)])
  await log.close()
  await withLog(path, async ({ read, end }) => {
    const { counted, reading } = counting(read)
    expect(await sessionSummary('one', { path, read: reading, end })).toEqual({
      id: 'one',
      title: 'Long ago',
      time: 200,
    })
    expect(counted.bytes).toBeLessThan(MEGABYTE)
  })
  const reopened = logFile({ path, tail: await mendLog(path), syncs })
  for (let count = 0; count < 40; count++) await reopened.append([user(`more ${count}`, 'x'.repeat(10_000), 300)])
  await reopened.close()
  expect((await withLog(path, readTail)).title?.text).toBe('Long ago')
})

it('takes the first prompt from the head when no title was given', async () => {
  const { path, log } = await hollow()
  await log.append([user('last', 'other', 7)])
  await log.close()
  await withLog(path, async ({ read, end }) => {
    const { counted, reading } = counting(read)
    const summary = await sessionSummary('one', { path, read: reading, end })
    expect(summary).toEqual({ id: 'one', title: 'The first prompt', time: 7 })
    expect(counted.bytes).toBeLessThan(MEGABYTE)
  })
})

it('finds a title that stands as far away as one can', async () => {
  const path = join(temporaryHome(), 'log.jsonl')
  const log = logFile({ path, tail: await mendLog(path), syncs })
  await log.append([user('a')])
  await log.append([title('t', 'Far away')])
  const stated = encodeBatch({ entries: [title('t', 'Far away')] }).length
  const empty = encodeBatch({ entries: [user('b')] }).length
  await log.append([user('b', 'x'.repeat(TITLE_REACH - stated - empty))])
  await log.append([user('c')])
  await log.close()
  expect((await withLog(path, readTail)).title?.text).toBe('Far away')
  expect(await readFile(path, 'utf8')).not.toContain('"title":"Far away"')
})
