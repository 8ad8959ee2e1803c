import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { ForkResult } from '../../src/types/fork.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, marksOf, readFile, setUp } from './setup.js'

const call = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })
const strip = (body: string) => body.replace(/,"cache_control":\{"type":"ephemeral"\}/g, '')
const text = (words: string) => [{ type: 'text', text: words }]

/** Forks after each answer, as many times as it is told. */
function forking(times: number, results: ForkResult[]) {
  return definePlugin({
    name: 'forking',
    setup: () => ({
      hooks: {
        async PostModelCall({ response }, { fork }) {
          if (response.stop === 'end_turn') return
          const options = { source: 'compact', prompt: text('Summarise.'), maxTurns: 2, allow: () => false }
          results.push(...(await Promise.all(Array.from({ length: times }, () => fork(options)))))
        },
      },
    }),
  })
}

it('extends the last request and its answer to the byte, with placeholders for open calls', async () => {
  const results: ForkResult[] = []
  const { start, simulator, exchanges } = await setUp(
    scripted(({ source }) => (source === 'compact' ? 'a summary' : [call('a.ts')])),
  )
  const session = await start({ plugins: [forking(1, results)], details: { limits: { maxTurns: 1 } } })
  await eventsOf(session.query('Go on. '.repeat(300)))
  const [first, forked] = exchanges.map(({ body }) => strip(body))
  expect(results).toMatchObject([{ text: 'a summary', stop: 'end_turn', turns: 1 }])
  const messages = JSON.stringify((JSON.parse(first as string) as { messages: unknown }).messages).slice(0, -1)
  expect(forked).toContain(messages)
  expect(forked).toContain('still running')
  const { read, write5m, failed } = simulator.ledger.totals('compact')
  expect(failed).toBe(0)
  expect(read).toBe(simulator.ledger.totals('main').write5m)
  expect(write5m).toBe(0)
  expect(session.cost('compact')).toMatchObject({ requests: 1, dollars: results[0]?.usage.dollars })
  expect(session.cost('main').requests).toBe(1)
})

it('lets several forks share one prefix, and denies what is not allowed', async () => {
  const results: ForkResult[] = []
  let asked = 0
  const { start, simulator, exchanges } = await setUp(
    scripted(({ source }) => (source === 'compact' && asked++ > 2 ? 'enough' : [call('a.ts')])),
  )
  const session = await start({ plugins: [forking(3, results)], details: { limits: { maxTurns: 1 } } })
  await eventsOf(session.query('Go on. '.repeat(300)))
  expect(results.map(({ text: said }) => said)).toEqual(['enough', 'enough', 'enough'])
  expect(simulator.ledger.totals().failed).toBe(0)
  expect(exchanges.at(-1)?.body).toContain('may not be used')
})

it('makes what it extends anew after a resume, and it is the same', async () => {
  const results: ForkResult[] = []
  const { start, simulator } = await setUp(scripted(({ source }) => (source === 'compact' ? 'a summary' : 'an answer')))
  const store = memoryStore()
  const session = await start({ store })
  await eventsOf(session.query('Go on. '.repeat(600)))
  const written = simulator.ledger.totals('main').write5m
  await session.close()
  const command = definePlugin({
    name: 'summarising',
    setup: () => ({
      commands: [
        {
          name: 'summarise',
          help: 'Summarises.',
          run: async (_args, { fork }) => {
            const result = await fork({ source: 'compact', prompt: text('Sum up.'), maxTurns: 1, allow: () => false })
            results.push(result)
            return result.text
          },
        },
      ],
    }),
  })
  const again = await start({ store, open: { resume: session.id }, plugins: [command] })
  expect(await again.command('summarise')).toBe('a summary')
  expect(simulator.ledger.totals('compact').read).toBe(written)
  await expect(again.command('sing')).rejects.toThrow(/no command 'sing'. Known: summarise/)
})

it('extends the prompt alone, also before anything was said, and its turns read one another from the cache', async () => {
  const { start, simulator, exchanges } = await setUp(
    scripted(({ source, messages }) =>
      source !== 'dream' ? 'Hello.' : messages.length < 5 ? [call(`${messages.length}.ts`)] : 'dreamt',
    ),
  )
  const dreaming = definePlugin({
    name: 'dreaming',
    setup: () => ({
      commands: [
        {
          name: 'dream',
          help: 'Dreams.',
          async run(_args, { fork }) {
            const prompt = text('Dream. '.repeat(1_500))
            const { covers, turns, ...result } = await fork({
              source: 'dream',
              extends: 'prompt',
              prompt,
              maxTurns: 5,
              allow: () => true,
            })
            return `${result.text} in ${turns}, of '${covers}'`
          },
        },
      ],
    }),
  })
  const session = await start({ plugins: [dreaming], tools: [readFile], system: 'Be brief. '.repeat(800) })
  expect(await session.command('dream')).toBe("dreamt in 3, of ''")
  const { read, failed } = simulator.ledger.totals('dream')
  expect(failed).toBe(0)
  expect(read).toBeGreaterThan(4_000)
  await eventsOf(session.query('What a secret prompt.'))
  await session.command('dream')
  const dreams = exchanges.filter(({ body }) => body.includes('Dream. Dream.'))
  expect(dreams).toHaveLength(6)
  for (const { body } of dreams) expect(body).not.toContain('What a secret prompt.')
})

it('goes on beside a session that is closed right after its answer, where it is detached', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const results: string[] = []
  const { start } = await setUp(
    scripted(async ({ source }) => {
      if (source === 'main') return 'Hello.'
      await held
      return 'looked'
    }),
  )
  const looking = definePlugin({
    name: 'looking',
    setup: () => ({
      hooks: {
        Stop(_event, { defer, fork }) {
          defer(async (signal) => {
            const options = {
              source: 'extract_memories',
              prompt: text('Look.'),
              maxTurns: 1,
              allow: () => false,
              signal,
            }
            results.push((await fork({ ...options, isDetached: true })).text)
          })
        },
      },
    }),
  })
  const session = await start({ plugins: [looking] })
  for await (const event of session.query('Hi')) {
    // Before the query has come to its very end, as an impatient program does.
    if (event.type === 'response') setImmediate(() => void session.close())
  }
  release()
  await session.close()
  expect(results).toEqual(['looked'])
})

it.each(['5m', '1h'] as const)(
  'repeats the markers of what it extends with their lifetime of %s, and sets none',
  async (ttl) => {
    const { start, exchanges, simulator } = await setUp(
      scripted(({ source }) => (source === 'compact' ? 'a summary' : [call('a.ts')])),
    )
    const session = await start({ plugins: [forking(1, [])], details: { ttl, limits: { maxTurns: 3 } } })
    await eventsOf(session.query('Go on. '.repeat(1_500)))
    const bodies = exchanges.map(({ body }) => body)
    const pairs = bodies.flatMap((body, index) =>
      body.includes('Summarise.') ? [[bodies[index - 1] as string, body] as const] : [],
    )
    expect(pairs.length).toBeGreaterThan(1)
    for (const [main, fork] of pairs) {
      expect(marksOf(main).length).toBeGreaterThan(1)
      expect(marksOf(fork)).toEqual(marksOf(main))
      expect(fork.includes('"ttl":"1h"')).toBe(ttl === '1h')
    }
    expect(simulator.ledger.totals().failed).toBe(0)
  },
)

it('repeats them also after a resume', async () => {
  const { start, exchanges } = await setUp(scripted(({ source }) => (source === 'compact' ? 'a summary' : 'an answer')))
  const store = memoryStore()
  const session = await start({ store, details: { ttl: '1h' } })
  await eventsOf(session.query('Go on. '.repeat(600)))
  const main = exchanges.at(-1)?.body ?? ''
  await session.close()
  const again = await start({ store, open: { resume: session.id }, plugins: [summarising] })
  await again.command('summarise')
  expect(marksOf(exchanges.at(-1)?.body ?? '')).toEqual(marksOf(main))
})

const summarising = definePlugin({
  name: 'summarising',
  setup: () => ({
    commands: [
      {
        name: 'summarise',
        help: 'Summarises.',
        run: async (_args, { fork }) =>
          (await fork({ source: 'compact', prompt: text('Sum up.'), maxTurns: 1, allow: () => false })).text,
      },
    ],
  }),
})
