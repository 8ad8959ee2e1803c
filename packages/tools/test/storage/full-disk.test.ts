import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { memoryStore, type Store } from '@nacre/core'
import { fileStore } from '@nacre/core/node'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { isExtension, resultsOf } from './support/request-parts.js'

const HUGE = Array.from({ length: 60_000 }, (_, line) => `line ${line + 1} of much output that nobody can keep\n`).join(
  '',
)

/** A store that keeps logs and no blobs. */
function fullStore(): Store {
  const inner = memoryStore()
  const put = () => Promise.reject(new Error('ENOSPC: no space left on device, write'))
  return { ...inner, open: async (id, signal) => ({ ...(await inner.open(id, signal)), put }) }
}

async function play(
  store: Store,
  sizes: readonly number[] = [HUGE.length],
  before: () => Promise<void> = async () => undefined,
) {
  const setup = await setUp(scripted([sizes.map((size) => callOf({ size })), 'one', 'two']))
  const tool = givingTool(({ size }) => HUGE.slice(0, Number(size)))
  const session = await setup.start({ tools: [tool], plugins: [toolResultStorage()], store, open: { id: 'full' } })
  await before()
  const end = (await eventsOf(session.query('Go.'))).at(-1)
  const results = resultsOf(setup.bodies.at(-1))
  return { ...setup, session, end: end?.type === 'end' ? end.reason : undefined, results }
}

describe('a result that can not be kept', { timeout: 30_000 }, () => {
  it('is cut to its limit with a marker that says what is lost and why, and the turn goes on', async () => {
    const { end, results, session, bodies } = await play(fullStore())
    const [result = ''] = results
    expect(end).toBe('done')
    expect(result.length).toBeLessThanOrEqual(50_000)
    expect(result.length).toBeGreaterThan(40_000)
    expect(result).toMatch(/^<cut-output>\nToo long to be shown whole: \d+ bytes in 60000 lines/)
    expect(result).toMatch(/NOT SEEN: lines \d+-59\d+/)
    expect(result).toMatch(
      /LOST, since it could not be written to disk \(The store could not keep '\S+' for session full: ENOSPC: no space left on device, write\)/,
    )
    expect(result).toContain('line 60000 of')
    await eventsOf(session.query('More.'))
    expect(isExtension(bodies.at(-1), bodies.at(-2))).toBe(true)
  })

  it('does not go into the log either: there may be no room for it', async () => {
    const store = fullStore()
    await play(store)
    expect(JSON.stringify(await store.peek?.('full'))).not.toContain('line 30000 of')
  })

  it('still counts in its message', async () => {
    const { end, results } = await play(
      fullStore(),
      Array.from({ length: 40 }, () => 30_000),
    )
    expect(end).toBe('done')
    expect(results.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(200_000)
  })

  it('is cut where something is in the way of the folder for blobs', async () => {
    const home = await temporaryFolder()
    const store = fileStore({ home, project: home })
    const opened = await store.open('other', new AbortController().signal)
    const { path = '' } = await opened.put('probe.txt', 'probe')
    await opened.close()
    const folder = dirname(path).replace('other', 'full')
    const { end, results } = await play(store, [HUGE.length], () => writeFile(folder, 'in the way'))
    expect(end).toBe('done')
    expect(results[0]).toMatch(/^<cut-output>/)
    expect(results[0]).toContain('in the way')
    expect(await readFile(folder, 'utf8')).toBe('in the way')
  })
})
