import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Lock, type LockEffects, PLACE, takeLock } from '../../src/node/lock.js'

const NOW = 1_000_000
const effects: LockEffects = { now: () => NOW, isAlive: (pid) => pid === process.pid }

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'lock')
}

/** A lock as another process has it. */
function foreignLock(path: string, holder: { pid: number; place: string; age: number }): void {
  mkdirSync(path)
  const time = (NOW - holder.age) / 1000
  writeFileSync(join(path, 'token'), JSON.stringify({ pid: holder.pid, place: holder.place, started: 0 }))
  utimesSync(join(path, 'token'), time, time)
}

async function taken(path: string, by: LockEffects = effects): Promise<Lock | undefined> {
  const lock = await takeLock(path, by)
  return 'holder' in lock ? undefined : lock
}

it('names the holder to the next one', async () => {
  const path = lockPath()
  await taken(path)
  const answer = await takeLock(path, effects)
  expect('holder' in answer && answer.holder).toMatch(new RegExp(`^process ${process.pid} on \\S+, since 1970`))
})

it.each([
  ['a dead process here', { pid: 1, place: PLACE, age: 0 }, true],
  ['a living process here', { pid: process.pid, place: PLACE, age: 59_000 }, false],
  ['a process here that hangs', { pid: process.pid, place: PLACE, age: 61_000 }, true],
  ['a process elsewhere', { pid: 1, place: 'elsewhere', age: 59_000 }, false],
  ['a process elsewhere that is silent', { pid: 1, place: 'elsewhere', age: 61_000 }, true],
])('knows whether the lock of %s can be taken', async (_, holder, isFree) => {
  const path = lockPath()
  foreignLock(path, holder)
  const lock = await taken(path)
  expect(lock !== undefined).toBe(isFree)
  await lock?.release()
  expect(readdirSync(dirname(path))).toEqual(isFree ? [] : ['lock'])
})

it('takes what an owner left that was killed between two steps', async () => {
  const path = lockPath()
  mkdirSync(path)
  expect(await taken(path)).toBeDefined()
})

it('counts a lock that nobody can read as held, for a minute', async () => {
  const path = lockPath()
  mkdirSync(path)
  writeFileSync(join(path, 'token'), 'no json')
  utimesSync(join(path, 'token'), NOW / 1000, NOW / 1000)
  expect(await taken(path)).toBeUndefined()
  expect(await taken(path, { ...effects, now: () => NOW + 61_000 })).toBeDefined()
})

it('gives a stale lock to one of many who come at once', async () => {
  const path = lockPath()
  for (let round = 0; round < 20; round++) {
    foreignLock(path, { pid: 1, place: PLACE, age: 0 })
    const locks = await Promise.all(Array.from({ length: 20 }, () => taken(path)))
    const winners = locks.filter((lock) => lock !== undefined)
    expect(winners).toHaveLength(1)
    await winners[0]?.release()
    expect(readdirSync(dirname(path))).toEqual([])
  }
})

it('removes what takers had prepared when they were killed, and leaves alone what is of another lock', async () => {
  const path = lockPath()
  foreignLock(`${path}.dead`, { pid: 1, place: PLACE, age: 0 })
  foreignLock(`${path}.alive`, { pid: process.pid, place: PLACE, age: 0 })
  foreignLock(`${path}-other.dead`, { pid: 1, place: PLACE, age: 0 })
  mkdirSync(`${path}.empty`)
  const lock = await taken(path, { ...effects, now: () => NOW })
  await lock?.release()
  expect(readdirSync(dirname(path)).toSorted()).toEqual(['lock-other.dead', 'lock.alive', 'lock.empty'])
})

it('releases its own lock only', async () => {
  const path = lockPath()
  let time = NOW
  const lock = await taken(path, { ...effects, now: () => time })
  time += 61_000
  const heir = await taken(path, { ...effects, now: () => time })
  expect(heir).toBeDefined()
  expect(await lock?.lostTo()).toContain(`process ${process.pid}`)
  await lock?.release()
  expect(await heir?.lostTo()).toBeUndefined()
  expect(await taken(path, { ...effects, now: () => time })).toBeUndefined()
})

it('makes up for a beat that came late as long as nobody took over', async () => {
  const path = lockPath()
  let time = NOW
  const moving = { ...effects, now: () => time }
  const lock = await taken(path, moving)
  time += 70_000
  expect(await lock?.lostTo()).toBeUndefined()
  expect(await taken(path, moving)).toBeUndefined()
})

it('says what is in the way', async () => {
  const path = lockPath()
  writeFileSync(path, '')
  await expect(takeLock(path, effects)).rejects.toMatchObject({ code: 'STORE_UNWRITABLE' })
})
