import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openRepository } from '../../src/repository/repository.js'
import { type BundledChild, bundleChild } from './bundle-child.js'
import { git, gitProblems, hasGit, listFiles, newFolder, newRepository, ticking, write } from './test-folder.js'

const isLong = process.env.NACRE_SOAK === '1'
// Of a long run nobody waits for the end.
vi.setConfig({ testTimeout: isLong ? 3_600_000 : 120_000 })
const children: Record<string, BundledChild> = {}
beforeAll(async () => {
  for (const name of ['appender', 'killed-writer']) children[name] = await bundleChild(name)
})
afterAll(() => {
  for (const child of Object.values(children)) child.remove()
})
const script = (name: string) => children[name]?.script ?? ''

it('loses no change of twenty processes that write at once', async () => {
  const folder = join(newFolder(), 'memory')
  const [processes, changes] = [20, isLong ? 6 : 2]
  const running = Array.from({ length: processes }, (_, index) =>
    spawn(process.execPath, [script('appender'), folder, `p${index}`, String(changes)], { stdio: 'inherit' }),
  )
  const ends = await Promise.all(running.map((child) => once(child, 'close')))
  expect(ends.every(([code]) => code === 0)).toBe(true)

  const repository = await openRepository({ path: folder, now: ticking() })
  const files = await repository.files()
  const lines = (files.get('shared.md') ?? '').trim().split('\n')
  expect(new Set(lines).size).toBe(processes * changes)
  // Linear, in the order of the lines, and nothing else.
  const log = (await repository.log()).map(({ cause }) => cause.summary).reverse()
  expect(log).toEqual(['Begin the memory folder', ...lines])
  for (let index = 0; index < processes; index++) expect(files.get(`own/p${index}.md`)).toBe(`p${index}.${changes}\n`)
  expect(leftovers(folder)).toEqual([])
  expect(await gitProblems(folder)).toBe('')
})

/** What must not be there when nobody is at work. */
function leftovers(folder: string): string[] {
  const found = listFiles(folder).filter((path) => /\.lock$|tmp_obj|\.nacre\//.test(path) && !/dream/.test(path))
  return existsSync(join(folder, '.nacre', 'lock')) ? [...found, 'lock'] : found
}

/** Points from few to many things done, a different set of each size. */
function points(count: number, last: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.37) * last) / count))
}

function runKilled(folder: string, task: string, point: number, from: number): string[] {
  const args = [script('killed-writer'), folder, task, String(point), String(from)]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe('a process that is killed', () => {
  it('leaves a change whole or not made, wherever it is killed, and the next one goes on', async () => {
    const folder = join(newFolder(), 'memory')
    let before = 0
    for (const point of points(isLong ? 450 : 4, 450)) {
      const said = runKilled(folder, 'change', point, before)
      const last = Number(said.filter((line) => /^\d+$/.test(line)).at(-1) ?? before)
      if (hasGit && existsSync(join(folder, '.git'))) {
        expect(await git(folder, 'fsck', '--strict', '--no-dangling', '--no-progress').catch(String)).toBe('')
      }
      const repository = await openRepository({ path: folder, now: ticking() })
      const { files } = await repository.snapshot()
      const numbers = new Set(
        ['a.md', 'deep/er/b.md', 'c.md'].map((path) => /^number (\d+)/.exec(files.get(path) ?? '')?.[1]),
      )
      const [number = 0] = [...numbers].map((each) => Number(each ?? 0))
      expect(numbers.size, `killed at ${point}`).toBe(1)
      expect([last, last + 1], `killed at ${point}`).toContain(number)
      expect(files.has(`turn/${number % 2}.md`)).toBe(number > 0)
      expect(files.has(`turn/${(number + 1) % 2}.md`)).toBe(false)
      const log = await repository.log()
      const made = log.filter(({ cause }) => cause.by === 'agent').map(({ cause }) => cause.summary)
      expect(made).toEqual(Array.from({ length: number }, (_, index) => `Change ${number - index}`))
      await write(repository, { 'next.md': `after ${point}\n` }, { by: 'person', summary: 'Next' })
      expect(await gitProblems(folder), `killed at ${point}`).toBe('')
      expect(leftovers(folder), `killed at ${point}`).toEqual([])
      before = number
      // Also at the first steps, when there is no folder yet.
      if (point < 40) {
        rmSync(folder, { recursive: true })
        before = 0
      }
    }
    expect(before).toBeGreaterThan(0)
  })

  it('leaves the old history or the purged one, wherever a purge is killed', async () => {
    const made = await newRepository()
    await write(made, { 'gone.md': 'a\n', 'a.md': 'one\ntop secret\ntwo\n', 'b/c.md': 'three\n' })
    await write(made, { 'a.md': 'one\nit is top  secret\ntwo\n' })
    await write(made, { 'b/c.md': 'four\n' })
    const ends = new Set<boolean>()
    for (const point of points(isLong ? 120 : 6, 120)) {
      const folder = join(newFolder(), 'memory')
      cpSync(made.path, folder, { recursive: true })
      runKilled(folder, 'purge', point, 0)
      const repository = await openRepository({ path: folder, now: ticking() })
      const { files } = await repository.snapshot()
      const isPurged = files.get('a.md') === 'one\ntwo\n'
      ends.add(isPurged)
      expect(files.has('gone.md')).toBe(!isPurged)
      expect(isPurged || files.get('a.md') === 'one\nit is top  secret\ntwo\n').toBe(true)
      expect(isHeld(folder, 'secret'), `killed at ${point}`).toBe(!isPurged)
      expect((await repository.log()).length).toBe(4)
      expect(await gitProblems(folder), `killed at ${point}`).toBe('')
      await write(repository, { 'next.md': 'goes on\n' })
      expect(leftovers(folder), `killed at ${point}`).toEqual([])
      await repository.purge({ paths: ['gone.md'], texts: ['top secret'] })
      expect(isHeld(folder, 'secret')).toBe(false)
      // What a killed taker had prepared for the lock, core removes a minute later.
      expect(readdirSync(join(folder, '.nacre')).filter((name) => !name.startsWith('lock.'))).toEqual(['tmp'])
    }
    expect(ends).toEqual(new Set([true, false]))
  })
})

function isHeld(folder: string, text: string): boolean {
  return listFiles(folder).some((path) => {
    const data = readFileSync(join(folder, path))
    if (data.includes(text)) return true
    return /objects\/..\/[0-9a-f]{38}$/.test(path) && inflateSync(data).includes(text)
  })
}
