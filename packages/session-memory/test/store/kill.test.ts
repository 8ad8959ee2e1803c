import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileStore } from '@nacre/core/node'
import { build } from 'tsup'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { notesPath } from '../../src/index.js'
import { PROJECT, startScripted } from '../support/scripted.js'

const folder = mkdtempSync(join(tmpdir(), 'nacre-notes-kill-'))
const home = join(folder, 'home')
const script = join(folder, 'note-taker.mjs')

beforeAll(async () => {
  const entry = { 'note-taker': fileURLToPath(new URL('../children/note-taker.ts', import.meta.url)) }
  await build({
    entry,
    outDir: folder,
    format: 'esm',
    target: 'node20',
    silent: true,
    config: false,
    noExternal: [/^@nacre\//],
    outExtension: () => ({ js: '.mjs' }),
    esbuildOptions: (options) => {
      options.conditions = ['@nacre/source']
    },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lets a child write notes until it has begun so many updates, and some moments more; then kills it. */
async function killedAfter(updates: number, moments: number, started: number): Promise<number> {
  const child = spawn(process.execPath, [script, home, PROJECT, String(started)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let isDue = false
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (isDue || text.split('\n').length <= updates) return
    isDue = true
    let left = moments
    const wait = () => (left-- > 0 ? setImmediate(wait) : child.kill('SIGKILL'))
    wait()
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  return Number(text.trim().split('\n').at(-1))
}

it('leaves the old notes or the new ones, whenever an update is killed', async () => {
  const path = notesPath({ home, project: PROJECT, session: 'one' })
  const store = fileStore({ home, project: PROJECT })
  let begun = 0
  let before = 0
  for (let kill = 0; kill < 12; kill++) {
    begun = await killedAfter(1 + (kill % 3), (kill * 37) % 400, begun)
    const file = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const steps = [...file.matchAll(/^step (\d+)$/gm)].map(([, step]) => Number(step))
    const [step = 0] = steps
    expect(steps.every((each) => each === step)).toBe(true)
    expect(steps.length).toBe(step === 0 ? 0 : 2)
    expect(step).toBeGreaterThanOrEqual(before)
    expect(step).toBeLessThanOrEqual(begun)
    before = step

    // Whoever goes on finds them, knows how far they go, and leaves nothing half-written behind.
    const { session } = await startScripted({ home, options: { store, open: { resume: 'one' } } })
    const shown = await session.command('memory session')
    expect(shown).toContain(step === 0 ? 'There are no notes yet' : `step ${step}`)
    expect(shown).not.toContain('damaged')
    await session.close()
    if (step > 0) expect(readdirSync(dirname(path)).filter((name) => name.startsWith('one'))).toEqual(['one.md'])
  }
  expect(before).toBeGreaterThan(0)
})
