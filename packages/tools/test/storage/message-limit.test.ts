import { memoryStore, type Plugin, type SessionOptions } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { scripted } from '@nacre/simulator'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { isExtension, resultsOf } from './support/request-parts.js'

const sized = (size: number) => `${'y'.repeat(79)}\n`.repeat(Math.ceil(size / 80)).slice(0, size)
const isStored = (text: string) => text.startsWith('<persisted-output>')
const total = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)

/** Results of these sizes in one message, and what was sent with them. */
async function play(sizes: readonly number[], options: Partial<SessionOptions> = {}, isAlone = false) {
  const tool = givingTool(({ size }) => sized(Number(size)), { isAlone, maxResultChars: 1_000_000 })
  const model = scripted([sizes.map((size) => callOf({ size })), 'one', 'two', 'three'])
  const setup = await setUp(model)
  const store = memoryStore()
  const own = { tools: [tool], plugins: [toolResultStorage()] as Plugin[], store, ...options }
  const session = await setup.start({ ...own, open: { id: 'one' } })
  const events = await eventsOf(session.query('Go.'))
  return { ...setup, own, session, events, results: resultsOf(setup.bodies[1]) }
}

describe('the results of one message', { timeout: 30_000 }, () => {
  it('stay within 200,000 characters together when there are 40 of 30,000', async () => {
    const { results, bodies } = await play(Array.from({ length: 40 }, () => 30_000))
    expect(bodies).toHaveLength(2)
    expect(results).toHaveLength(40)
    expect(total(results)).toBeLessThanOrEqual(200_000)
    expect(results.filter((text) => !isStored(text)).length).toBeGreaterThan(2)
    for (const text of results) expect(isStored(text) || text === sized(30_000)).toBe(true)
  })

  it('give up the largest first, also where it was logged whole before', async () => {
    const { results, session, own } = await play([90_000, 60_000, 40_000, 20_000, 10_000])
    expect(results.map(isStored)).toEqual([true, false, false, false, false])
    const entries = (await own.store.peek?.('one')) ?? []
    const edits = entries.filter((entry) => entry.kind === 'edit' && entry.owner === 'tool-result-storage')
    expect(edits).toHaveLength(1)
    expect(session.breaks()).toEqual([])
  })

  it('are sent the same ever after, also after a resume and in a fork', async () => {
    const { bodies, session, start, own } = await play([90_000, 60_000, 40_000, 20_000, 10_000])
    await eventsOf(session.query('More.'))
    expect(isExtension(bodies[2], bodies[1])).toBe(true)
    await session.close()
    const resumed = await start({ ...own, plugins: [toolResultStorage()], open: { resume: 'one' } })
    const fork = await resumed.fork()
    await eventsOf(fork.query('More.'))
    await fork.close()
    expect(isExtension(bodies[3], bodies[2])).toBe(true)
  })

  it('are counted alike when they run one after the other', async () => {
    const { results } = await play([90_000, 60_000, 40_000, 20_000, 10_000], {}, true)
    expect(results.map(isStored)).toEqual([true, false, false, false, false])
  })

  it('are counted for each message alone', async () => {
    const tool = givingTool(() => sized(45_000))
    const calls = [callOf({ a: 1 }), callOf({ a: 2 }), callOf({ a: 3 })]
    const { start, bodies } = await setUp(scripted([calls, calls, 'done']))
    const session = await start({ tools: [tool], plugins: [toolResultStorage()] })
    await eventsOf(session.query('Go.'))
    expect(resultsOf(bodies.at(-1)).filter(isStored)).toEqual([])
  })

  it('get shorter previews where there are very many', async () => {
    const { results } = await play(Array.from({ length: 110 }, () => 3_000))
    expect(total(results)).toBeLessThanOrEqual(200_000)
    expect(results).toHaveLength(110)
  })

  it('stay within any limit, and what stays whole is never larger than what is stored', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 12_000 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }), async (given, delays) => {
        const tool = givingTool(async ({ place }) => {
          for (let tick = 0; tick < (delays[Number(place)] ?? 0); tick++) await new Promise(setImmediate)
          return sized(given[Number(place)] ?? 0)
        })
        const model = scriptedModel([given.map((_, place) => callOf({ place })), 'done'])
        const limits = { message: 30_000 }
        const { start } = await setUp(scripted([]))
        const session = await start({ model, tools: [tool], plugins: [toolResultStorage({ limits })] })
        await eventsOf(session.query('Go.'))
        const results = resultsOf(JSON.stringify(model.requests[1]))
        expect(total(results)).toBeLessThanOrEqual(30_000)
        const whole = given.filter((_, place) => !isStored(results[place] ?? ''))
        const stored = given.filter((_, place) => isStored(results[place] ?? ''))
        expect(Math.max(0, ...whole)).toBeLessThanOrEqual(Math.min(Number.POSITIVE_INFINITY, ...stored))
        if (total(given.map(sized)) <= 30_000) expect(stored).toEqual([])
      }),
      { seed: 11, numRuns: 40 },
    )
  })
})
