import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  acquireConsolidation,
  type ConsolidationEffects,
  type Held,
  lastConsolidated,
  repairConsolidation,
} from '../../src/repository/consolidate-lock.js'
import { type BundledChild, bundleChild } from './bundle-child.js'
import { writeAndReadBack } from './children/dreamer.js'
import { NOON, newFolder } from './test-folder.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** A world at one time, in which some processes live. The one that asks is 100. */
function world(time: number, ...alive: readonly number[]): ConsolidationEffects {
  return { now: () => time, isAlive: (pid) => pid === 100 || alive.includes(pid), pid: 100 }
}

function lockOf(folder: string, body: string, time: number): void {
  writeFileSync(join(folder, '.consolidate-lock'), body)
  utimesSync(join(folder, '.consolidate-lock'), time / 1000, time / 1000)
}

async function acquired(folder: string, effects: ConsolidationEffects): Promise<Held> {
  const answer = await acquireConsolidation(folder, effects)
  if ('refused' in answer) throw new Error(answer.refused)
  return answer.acquired
}

async function refusal(folder: string, effects: ConsolidationEffects): Promise<string> {
  const answer = await acquireConsolidation(folder, effects)
  return 'refused' in answer ? answer.refused : 'acquired'
}

/** What a dream leaves when it is killed: its lock and its record, while its mutex is found to be a dead one's. */
async function killedDream(folder: string, time: number, pid: number): Promise<void> {
  await acquired(folder, { ...world(time), pid })
  rmSync(join(folder, '.nacre', 'dream'), { recursive: true })
}

it('takes the lock of a folder that has none, and leaves the time of its end', async () => {
  const folder = newFolder()
  expect(await lastConsolidated(folder)).toBe(0)
  let time = NOON
  const held = await acquired(folder, { ...world(NOON), now: () => time })
  expect(held.previous).toBe(0)
  expect(readFileSync(join(folder, '.consolidate-lock'), 'utf8')).toBe('100\n')
  expect(await lastConsolidated(folder)).toBe(NOON)
  time += 5 * MINUTE
  await held.succeed()
  await held.putBack()
  expect(await lastConsolidated(folder)).toBe(NOON + 5 * MINUTE)
})

it('puts the old time back, or removes a lock that was not there before', async () => {
  const folder = newFolder()
  await (await acquired(folder, world(NOON))).putBack()
  expect(existsSync(join(folder, '.consolidate-lock'))).toBe(false)
  await (await acquired(folder, world(NOON))).succeed()
  const held = await acquired(folder, world(NOON + DAY))
  expect(held.previous).toBe(NOON)
  await held.putBack()
  expect(await lastConsolidated(folder)).toBe(NOON)
})

it('refuses a second dream while one runs', async () => {
  const folder = newFolder()
  const held = await acquired(folder, world(NOON))
  expect(await refusal(folder, { ...world(NOON, process.pid), pid: 200 })).toMatch(
    /Another dream is running: process \d+/,
  )
  await held.succeed()
  expect(await refusal(folder, world(NOON))).toBe('acquired')
})

it('does not take a finished dream of a session that goes on for a running one', async () => {
  const folder = newFolder()
  await (await acquired(folder, { ...world(NOON), pid: 300 })).succeed()
  expect((await acquired(folder, world(NOON + MINUTE, 300))).previous).toBe(NOON)
})

describe('a lock that another program wrote', () => {
  it.each([
    ['of a living process', '7\n', DAY, [7], /^Process 7 is consolidating/],
    ['of a dead process, young', '7\n', 59 * MINUTE, [], /left by process 7, which is gone.* after 2026-01-02T12:01/],
    ['of a dead process, old', '7\n', 61 * MINUTE, [], /^acquired$/],
    ['without a body, young', '', 59 * MINUTE, [], /number it does not have/],
    ['without a body, old', '', 61 * MINUTE, [], /^acquired$/],
    ['with words, old', 'dream on', 61 * MINUTE, [], /^acquired$/],
    ['with words, young', 'dream on', MINUTE, [], /number it does not have/],
    ['with a huge body', '7'.repeat(100_000), MINUTE, [7], /number it does not have/],
    ['with a negative number', '-7\n', MINUTE, [], /number it does not have/],
    ['of the far future', '7\n', -DAY, [], /^acquired$/],
  ])('%s is judged by its process and its age', async (_, body, age, alive, answer) => {
    const folder = newFolder()
    lockOf(folder, body, NOON - age)
    expect(await refusal(folder, world(NOON, ...alive))).toMatch(answer)
    if (String(answer) === '/^acquired$/') return
    // A refusal changes nothing.
    expect(readFileSync(join(folder, '.consolidate-lock'), 'utf8')).toBe(body)
    expect(await lastConsolidated(folder)).toBe(NOON - age)
  })
})

describe('a dream that was killed', () => {
  it('does not cost a day: its old time is put back by the next that asks', async () => {
    const folder = newFolder()
    lockOf(folder, '7\n', NOON - 2 * DAY)
    await killedDream(folder, NOON, 500)
    expect(await lastConsolidated(folder)).toBe(NOON)
    const held = await acquired(folder, world(NOON + MINUTE))
    expect(held.previous).toBe(NOON - 2 * DAY)
    await held.putBack()
    expect(await lastConsolidated(folder)).toBe(NOON - 2 * DAY)
  })

  it('is put back at the start of a session, and a living one is not', async () => {
    const folder = newFolder()
    expect(await repairConsolidation(folder, world(NOON))).toBe(false)
    await killedDream(folder, NOON, 500)
    expect(await repairConsolidation(folder, world(NOON + MINUTE, 500))).toBe(false)
    expect(await lastConsolidated(folder)).toBe(NOON)
    expect(await repairConsolidation(folder, world(NOON + MINUTE))).toBe(true)
    expect(await lastConsolidated(folder)).toBe(0)
    expect(await repairConsolidation(folder, world(NOON + MINUTE))).toBe(false)
  })

  it('is not mistaken for another one that the record does not know', async () => {
    const folder = newFolder()
    await killedDream(folder, NOON, 500)
    lockOf(folder, '500\n', NOON + 10 * MINUTE)
    expect(await refusal(folder, world(NOON + 20 * MINUTE))).toMatch(/left by process 500/)
  })

  it('with a record that cannot be read proves nothing', async () => {
    const folder = newFolder()
    await killedDream(folder, NOON, 500)
    writeFileSync(join(folder, '.nacre', 'dream-run.json'), '{"pid":')
    expect(await refusal(folder, world(NOON + MINUTE))).toMatch(/left by process 500/)
    expect(await refusal(folder, world(NOON + 61 * MINUTE))).toBe('acquired')
  })
})

it('leaves a lock alone that another program has overwritten meanwhile', async () => {
  const folder = newFolder()
  const held = await acquired(folder, world(NOON))
  lockOf(folder, '7\n', NOON + MINUTE)
  await held.putBack()
  expect(readFileSync(join(folder, '.consolidate-lock'), 'utf8')).toBe('7\n')
  expect(statSync(join(folder, '.consolidate-lock')).mtimeMs).toBe(NOON + MINUTE)
})

it('gives it to one of many who come at once', async () => {
  const folder = newFolder()
  lockOf(folder, '7\n', NOON - DAY)
  const effects = world(NOON, process.pid)
  const answers = await Promise.all(Array.from({ length: 20 }, () => acquireConsolidation(folder, effects)))
  expect(answers.filter((answer) => 'acquired' in answer)).toHaveLength(1)
})

describe('when a second one comes between the look and the write of the first', () => {
  let child: BundledChild
  beforeAll(async () => {
    child = await bundleChild('dreamer')
  })
  afterAll(() => child.remove())

  /** Asks about an old lock; while it is looked at, another process goes all the way. */
  async function both(way: 'write-and-read-back' | 'acquire'): Promise<readonly string[]> {
    const folder = newFolder()
    mkdirSync(join(folder, '.nacre'))
    lockOf(folder, '7\n', NOON - DAY)
    let second = ''
    const isAlive = (pid: number) => {
      if (pid === 7 && second === '') {
        second = execFileSync(process.execPath, [child.script, folder, way, String(NOON)], { encoding: 'utf8' })
      }
      return pid !== 7
    }
    const effects = { now: () => NOON, isAlive }
    const first =
      way === 'acquire'
        ? await refusal(folder, effects)
        : (await writeAndReadBack(folder, effects))
          ? 'acquired'
          : 'refused'
    return [first, second]
  }

  it('write and read back let two through', async () => {
    expect(await both('write-and-read-back')).toEqual(['acquired', 'acquired'])
  })

  it('only the first gets it here', async () => {
    const [first, second] = await both('acquire')
    expect(first).toBe('acquired')
    expect(second).toMatch(/^Another dream is running/)
  })
})
