import { scripted, stillClock } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, setUp } from './setup.js'

const LONG = 'A long story about a boat and its crew on a river. '.repeat(400)

/** Replaces a prompt by a shorter one when it is told to. */
const shortening = definePlugin({
  name: 'shortening',
  setup: () => ({
    commands: [
      {
        name: 'shorten',
        help: 'Shortens the first prompt.',
        run: async (entry, { propose }) => {
          const change = {
            kind: 'replace',
            target: { entry, block: 0 },
            content: [{ type: 'text', text: 'short' }],
          } as const
          return JSON.stringify(await propose({ reason: 'shorter', changes: [change] }))
        },
      },
    ],
  }),
})

async function talking() {
  const clock = stillClock()
  const setup = await setUp(
    scripted(() => 'ok'),
    { clock },
  )
  const store = memoryStore()
  const details = { effects: { now: clock.now } }
  const session = await setup.start({ store, plugins: [shortening], details })
  await eventsOf(session.query(LONG))
  await eventsOf(session.query(`Once more. ${LONG}`))
  expect(session.breaks()).toEqual([])
  return { ...setup, clock, store, session, details }
}

describe('a cache break is blamed on', () => {
  it('the model that was changed', async () => {
    const { session, simulator } = await talking()
    await session.setModel(anthropicModel({ model: 'claude-sonnet-5', apiKey: 'test', baseURL: simulator.url }))
    await eventsOf(session.query('And?'))
    expect(session.breaks()).toMatchObject([{ cause: 'model' }])
    expect(session.breaks()[0]?.dollars).toBeGreaterThan(0)
  })

  it('the plugin whose edit reached back', async () => {
    const { session } = await talking()
    const entry = session.view().rounds[0]?.entries[0]?.id as string
    await session.command('shorten', entry)
    await eventsOf(session.query('And?'))
    expect(session.breaks()).toMatchObject([{ cause: 'edit', owner: 'shortening' }])
  })

  it('the time that passed', async () => {
    const { session, clock } = await talking()
    clock.advance(6 * 60_000)
    await eventsOf(session.query('And?'))
    expect(session.breaks()).toMatchObject([{ cause: 'expired' }])
  })

  it('nobody after a rewind, which only makes the conversation shorter', async () => {
    const { session } = await talking()
    const entry = session.view().rounds[1]?.entries[0]?.id as string
    await session.rewind(entry)
    await eventsOf(session.query('Otherwise?'))
    expect(session.breaks()).toEqual([])
  })

  it('nobody after a clear', async () => {
    const { session } = await talking()
    await session.clear()
    await eventsOf(session.query(`Anew. ${LONG}`))
    expect(session.breaks()).toEqual([])
  })
})

/** Asks something beside the conversation, under the name that it is told. */
const forking = definePlugin({
  name: 'forking',
  setup: () => ({
    commands: [
      {
        name: 'fork',
        help: 'Forks.',
        async run(source, { fork }) {
          const prompt = [{ type: 'text', text: 'Sum up.' }]
          return (await fork({ source, prompt, maxTurns: 1, allow: () => false })).text
        },
      },
    ],
  }),
})

describe('every source is watched', () => {
  it('so that none reads nothing unnoticed when the server has lost what it had cached', async () => {
    const setup = await setUp(scripted(() => 'ok'))
    const { start, simulator } = setup
    const entries: { source: string; read: number }[] = []
    simulator.observe(({ entry: { source, read } }) => entries.push({ source, read }))
    let time = 0
    const session = await start({ plugins: [forking], details: { effects: { now: () => time++ } } })
    await eventsOf(session.query(LONG))
    await eventsOf(session.query(`Once more. ${LONG}`))
    expect(session.breaks()).toEqual([])
    const forks = ['session_memory', 'compact', 'extract_memories', 'dream', 'agent:a', 'review', 'my-plugin/notes']
    for (const source of forks) {
      simulator.clock.advance(6 * 60_000)
      await session.command('fork', source)
    }
    simulator.clock.advance(6 * 60_000)
    await eventsOf(session.query('And?'))
    const all = [...forks, 'main']
    expect(entries.slice(2)).toEqual(all.map((source) => ({ source, read: 0 })))
    expect(session.breaks()).toMatchObject(all.map((source) => ({ source, cause: 'server', read: 0 })))
    await eventsOf(session.query('And now?'))
    for (const source of forks) await session.command('fork', source)
    expect(session.breaks()).toHaveLength(all.length)
  })

  it('so that a fork which reads nothing of what it extends is told under its own name', async () => {
    const { session, clock, store, start, details } = await talking()
    await session.close()
    const again = await start({ store, open: { resume: session.id }, plugins: [shortening, forking], details })
    await eventsOf(again.query('And then?'))
    await again.command('fork', 'session_memory')
    expect(again.breaks()).toEqual([])
    for (const source of ['session_memory', 'compact', 'agent:a']) {
      // The one before has written the prefix again.
      clock.advance(6 * 60_000)
      await again.command('fork', source)
    }
    expect(again.breaks()).toMatchObject([
      { source: 'session_memory', cause: 'expired', read: 0 },
      { source: 'compact', cause: 'expired', read: 0 },
      { source: 'agent:a', cause: 'expired', read: 0 },
    ])
  })
})
