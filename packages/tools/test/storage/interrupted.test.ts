import { definePlugin, type Entry, memoryStore, type Store } from '@nacre/core'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { isExtension, resultsOf } from './support/request-parts.js'

const sized = (size: number) => `${'z'.repeat(79)}\n`.repeat(Math.ceil(size / 80)).slice(0, size)
const isStored = (text: string) => text.startsWith('<persisted-output>')
const total = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0)
const WIDE = { maxResultChars: 1_000_000 }
const ID = 'interrupted'

/** A store, and a promise for the moment when so many results are in its log. */
function watched(results: number): { store: Store; reached: Promise<void> } {
  const inner = memoryStore()
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  let seen = 0
  const count = (entry: Entry) => entry.kind === 'user' && entry.content.some(({ type }) => type === 'tool_result')
  const store: Store = {
    ...inner,
    async open(id, signal) {
      const opened = await inner.open(id, signal)
      const append: typeof opened.append = async (batch) => {
        await opened.append(batch)
        seen += batch.filter(count).length
        if (seen >= results) reach()
      }
      return { ...opened, append }
    },
  }
  return { store, reached }
}

/** The log as a process that was killed now would leave it. */
async function leftBehind(store: Store): Promise<Store> {
  const copy = memoryStore()
  const opened = await copy.open(ID, new AbortController().signal)
  await opened.append((await store.peek?.(ID)) ?? [])
  await opened.close()
  return copy
}

describe('a message that was interrupted', { timeout: 30_000 }, () => {
  it('keeps to its limit when the process is killed before what was decided is installed', async () => {
    const tool = givingTool(
      ({ size }) => (size === 0 ? new Promise<string>(() => undefined) : sized(Number(size))),
      WIDE,
    )
    const calls = [90_000, 70_000, 60_000, 0].map((size) => callOf({ size }))
    const { start, bodies } = await setUp(scripted([calls, 'one', 'two']))
    const { store, reached } = watched(3)
    const session = await start({ tools: [tool], plugins: [toolResultStorage()], store, open: { id: ID } })
    const stop = new AbortController()
    const running = eventsOf(session.query('Go.', { signal: stop.signal }))
    await reached
    const copy = await leftBehind(store)
    stop.abort()
    await running
    const resumed = await start({ tools: [tool], plugins: [toolResultStorage()], store: copy, open: { resume: ID } })
    await eventsOf(resumed.query())
    const results = resultsOf(bodies.at(-1))
    expect(results.slice(0, 3).map(isStored)).toEqual([true, false, false])
    expect(total(results)).toBeLessThanOrEqual(200_000)
    await eventsOf(resumed.query('More.'))
    expect(isExtension(bodies.at(-1), bodies.at(-2))).toBe(true)
  })

  it('keeps to its limits when a person stops before a result was judged', async () => {
    const stop = new AbortController()
    const stopping = definePlugin({
      name: 'stopping',
      setup: () => ({ hooks: { PostToolUse: () => stop.abort() } }),
    })
    const { start, bodies } = await setUp(scripted([[callOf()], 'one', 'two']))
    // One that only reads begins before the answer has ended, and an answer that is stopped is not kept.
    const tools = [{ ...givingTool(() => sized(300_000)), isReadOnly: () => false }]
    const session = await start({ tools, plugins: [stopping, toolResultStorage()] })
    await eventsOf(session.query('Go.', { signal: stop.signal }))
    await eventsOf(session.query('Go on.'))
    const [result = ''] = resultsOf(bodies.at(-1))
    expect(isStored(result)).toBe(true)
    expect(result).toContain('300000 bytes')
  })

  it('counts calls that began in an answer that broke off, and runs none twice', async () => {
    const runs: unknown[] = []
    const tool = givingTool(({ size }) => {
      runs.push(size)
      return sized(Number(size))
    }, WIDE)
    const calls = [90_000, 70_000, 60_000].map((size) => callOf({ size }))
    const { start, bodies, simulator } = await setUp(scripted([['Looking.', ...calls], 'done']))
    simulator.faults.add({ kind: 'cut', amount: 12 })
    const session = await start({ tools: [tool], plugins: [toolResultStorage()] })
    const events = await eventsOf(session.query('Go.'))
    expect(events.some((event) => event.type === 'recovery')).toBe(true)
    expect(runs).toHaveLength(3)
    const results = resultsOf(bodies.at(-1))
    expect(results.map(isStored)).toEqual([true, false, false])
    expect(total(results)).toBeLessThanOrEqual(200_000)
  })
})
