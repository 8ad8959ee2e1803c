import { expect, it } from 'vitest'
import { setUp } from '../support/set-up.js'
import { readFileTool, worker } from '../support/worker.js'

const PROMPT = 'Read 60 files.'
const withoutMarks = (body: string) => body.replace(/,"cache_control":\{[^}]*\}/g, '')

it('reads at least the request that it extends from the cache, and writes nothing to it', async () => {
  const { start, requests, simulator } = await setUp(worker())
  const { ask, close } = await start({ tools: [readFileTool()] })
  await ask('Read 80 files.')
  await close()
  const updates = requests.filter(({ entry }) => entry.source === 'session_memory')
  expect(updates.length).toBeGreaterThan(3)
  for (const { entry, body } of updates) {
    // The request that it extends: the longest one whose messages its own begin with.
    const own = messagesOf(body)
    const main = requests.filter(
      ({ entry: { source }, body: other }) => source === 'main' && own.startsWith(messagesOf(other)),
    )
    const extended = main.at(-1)?.entry
    expect(extended).toBeDefined()
    const { input, read, write5m } = extended as NonNullable<typeof extended>
    expect(entry.read).toBeGreaterThanOrEqual(input + read + write5m)
    expect(entry.write5m).toBe(0)
  }
  expect(simulator.ledger.totals('session_memory').failed).toBe(0)
})

it('never changes the next request of the conversation', async () => {
  const bodies = await Promise.all(
    [true, false].map(async (isOn) => {
      const { start, requests } = await setUp(worker())
      const { ask, close } = await start({ tools: [readFileTool()], flags: { 'session-memory.updates': isOn } })
      await ask(PROMPT)
      await close()
      const updates = requests.filter(({ entry }) => entry.source === 'session_memory')
      expect(updates.length > 0).toBe(isOn)
      return requests.filter(({ entry }) => entry.source === 'main').map(({ body }) => body)
    }),
  )
  expect(bodies[0]).toHaveLength(61)
  const first = bodies[0]?.findIndex((body, index) => body !== bodies[1]?.[index])
  expect(first).toBe(-1)
})

/** The messages of a body without their marks, up to the end of the last. */
function messagesOf(body: string): string {
  const { messages, system, tools } = JSON.parse(withoutMarks(body)) as Record<string, unknown>
  return JSON.stringify([system, tools, messages]).slice(0, -2)
}
