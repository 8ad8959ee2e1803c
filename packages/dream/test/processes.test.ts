import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemories } from '../src/index.js'
import { writeMemory } from '../src/memory/memory.js'
import { type BundledChild, bundleChild } from './repository/bundle-child.js'
import { gitProblems, newFolder } from './repository/test-folder.js'
import { given } from './support/memories.js'

const isLong = process.env.NACRE_SOAK === '1'
let child: BundledChild
beforeAll(async () => {
  child = await bundleChild('remembering-session', import.meta.url)
})
afterAll(() => child.remove())

const TWICE = 'The staging database listens on port 5433.'

async function places() {
  const home = newFolder()
  const project = join(home, 'project')
  mkdirSync(project)
  const memories = await openMemories({ home, project })
  const repository = await memories.folders.project.repository()
  const laid = ['a', 'b'].map((id) => [`${id}.md`, writeMemory(given({ id, text: TWICE }))] as const)
  await repository.change({ by: 'person', summary: 'Laid' }, () => new Map(laid))
  return { home, project, memories }
}

it('lets exactly one of twenty processes dream, and loses nothing that they learn', async () => {
  const { home, project, memories } = await places()
  const words = Array.from({ length: 20 }, (_, index) => `ed${String.fromCharCode(97 + index)}tor`)
  const running = words.map((word) => {
    const started = spawn(process.execPath, [child.script, home, project, word, '-1', 'due'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    started.stdout.on('data', (chunk) => {
      said += chunk
    })
    return once(started, 'close').then(([code]) => ({ code, said }))
  })
  const ends = await Promise.all(running)
  expect(ends.map(({ code }) => code)).toEqual(words.map(() => 0))
  expect(ends.filter(({ said }) => said.includes('asked to dream'))).toHaveLength(1)
  const log = await memories.log({ limit: 200 })
  expect(log.filter(({ commit }) => (commit.cause.details ?? []).some((line) => line.includes('merged')))).toHaveLength(
    1,
  )
  const names = (await memories.list()).map(({ memory }) => memory.name)
  for (const word of words) expect(names).toContain(`Prefers ${word}`)
  expect(await gitProblems(memories.folders.project.path)).toBe('')
  expect(await gitProblems(memories.folders.person.path)).toBe('')
})

it('leaves both folders whole wherever a session is killed, and the next one goes on', async () => {
  const count = isLong ? 50 : 3
  for (let index = 0; index < count; index++) {
    const { home, project, memories } = await places()
    const point = Math.floor(((index + 0.41) * 190) / count)
    const run = (word: string, at: number) =>
      spawnSync(process.execPath, [child.script, home, project, word, String(at)], { encoding: 'utf8' })
    run('vim', point)
    const isMerged = async () => (await memories.list()).every(({ memory }) => memory.id !== 'b')
    const wasMerged = await isMerged()
    expect((await memories.list({ withArchive: true })).filter(({ memory }) => memory.id === 'b')).toHaveLength(1)
    const next = run('emacs', -1)
    expect(next.stderr, `killed at ${point}`).toBe('')
    expect(next.stdout, `killed at ${point}`).toContain('done')
    expect(wasMerged || (await isMerged()), `killed at ${point}: ${next.stdout}`).toBe(true)
    expect((await memories.list()).map(({ memory }) => memory.name)).toContain('Prefers emacs')
    expect((await memories.list()).every(({ unverified }) => unverified === undefined)).toBe(true)
    expect(await gitProblems(memories.folders.project.path), `killed at ${point}`).toBe('')
    expect(await gitProblems(memories.folders.person.path), `killed at ${point}`).toBe('')
  }
})
