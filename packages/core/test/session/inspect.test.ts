import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Entry } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, MODEL, setUp } from './setup.js'

const OTHER = 'claude-sonnet-4-6'
const asking = definePlugin({
  name: 'asking',
  setup: () => ({
    hooks: { Stop: () => undefined },
    commands: [
      {
        name: 'ask',
        help: 'Asks beside the conversation.',
        run: async (_args, { fork }) =>
          (
            await fork({
              source: 'aside',
              prompt: [{ type: 'text', text: 'And?' }],
              maxTurns: 1,
              allow: () => false,
            })
          ).text,
      },
    ],
  }),
})

it('tells what a session is made of, and what each source has spent on each model, as the server billed it', async () => {
  const { start, simulator } = await setUp(scripted(() => 'Well.'))
  let time = 1_000_000
  const store = memoryStore()
  const session = await start({ plugins: [asking], store, details: { effects: { now: () => time } } })
  expect((await session.inspect()).cache).toEqual({ ttl: '5m' })
  await eventsOf(session.query('One.'))
  await session.command('ask')
  await session.setModel(anthropicModel({ model: OTHER, apiKey: 'test', baseURL: simulator.url }))
  await eventsOf(session.query('Two.'))
  time += 60_000

  const { model, plugins, spent, cache, entries } = await session.inspect()
  expect(model.id).toBe(OTHER)
  expect(plugins.map(({ name, milliseconds }) => [name, milliseconds])).toEqual([
    ['session', 0],
    ['asking', 0],
  ])
  expect(Object.keys(plugins[1]?.contribution.hooks ?? {})).toEqual(['Stop'])
  expect(cache).toEqual({ ttl: '5m', left: 240_000 })
  expect(spent.map(({ source, model, requests }) => [source, model, requests])).toEqual([
    ['main', MODEL, 1],
    ['aside', MODEL, 1],
    ['main', OTHER, 1],
  ])
  for (const source of ['main', 'aside']) {
    const billed = simulator.ledger.totals(source)
    const parts = spent.filter((part) => part.source === source)
    expect(parts.reduce((sum, { output }) => sum + output, 0)).toBe(billed.output)
    expect(parts.reduce((sum, { dollars }) => sum + dollars, 0)).toBeCloseTo(billed.dollars, 10)
    expect(session.cost(source).dollars).toBeCloseTo(billed.dollars, 10)
  }
  const log: Entry[] = []
  for await (const entry of entries()) log.push(entry)
  expect(log.filter(({ kind }) => kind === 'assistant')).toHaveLength(2)

  await session.close()
  const again = await start({ plugins: [asking], store, open: { resume: session.id } })
  expect((await again.inspect()).spent).toEqual(spent)
})

it('keeps what background work has spent after the last answer, and writes nothing where nothing was spent', async () => {
  const { start, simulator } = await setUp(scripted(() => 'Well.'))
  const store = memoryStore()
  const later = definePlugin({
    name: 'later',
    setup: () => ({
      hooks: {
        SessionEnd: (_event, { defer, fork }) => {
          const prompt = [{ type: 'text', text: 'And?' }]
          if (simulator.ledger.totals().requests === 1)
            defer(async () => {
              await fork({ source: 'aside', prompt, maxTurns: 1, allow: () => false })
            })
        },
      },
    }),
  })
  const session = await start({ plugins: [later], store })
  await eventsOf(session.query('One.'))
  await session.close()
  const open = { resume: session.id }
  const again = await start({ plugins: [later], store, open })
  expect(again.cost('aside').dollars).toBeCloseTo(simulator.ledger.totals('aside').dollars, 10)
  expect(again.cost('aside').requests).toBe(1)
  await again.close()
  const entries = await store.peek?.(session.id)
  await (await start({ store, open })).close()
  expect(await store.peek?.(session.id)).toEqual(entries)
})
