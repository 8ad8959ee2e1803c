import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { ForkResult } from '../../src/types/fork.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, readFile, setUp } from './setup.js'

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
