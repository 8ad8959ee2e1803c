import { createSession, definePlugin, type ForkOptions } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { startSimulator } from '@nacre/simulator'
import { expect, it, onTestFinished } from 'vitest'
import { toolResultStorage } from '../../src/storage/tool-result-storage.js'
import { eventsOf } from '../support/start-session.js'
import { callOf, givingTool } from './support/giving-tool.js'
import { resultsOf } from './support/request-parts.js'

it('keeps the results of a fork within the limits too, and leaves the conversation beside it alone', async () => {
  const simulator = await startSimulator({
    model: ({ source, messages }) => {
      if (source === 'main') return 'done'
      const sizes = [60_000, 45_000, 45_000, 45_000, 45_000, 45_000]
      return resultsOf(JSON.stringify({ messages })).length > 0 ? 'read' : sizes.map((size) => callOf({ size }))
    },
  })
  onTestFinished(() => simulator.close())
  const bodies: string[] = []
  simulator.observe(({ body, entry }) => void (entry.source === 'asking' && bodies.push(body)))
  const asked: ForkOptions = {
    source: 'asking',
    prompt: [{ type: 'text', text: 'Look.' }],
    maxTurns: 2,
    allow: () => true,
  }
  const asking = definePlugin({
    name: 'asking',
    setup: () => ({
      hooks: { PostModelCall: (_event, { fork, defer }) => defer(async () => void (await fork(asked))) },
    }),
  })
  const session = await createSession({
    model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'test', baseURL: simulator.url }),
    tools: [givingTool(({ size }) => 'y'.repeat(Number(size)))],
    plugins: [asking, toolResultStorage()],
  })
  await eventsOf(session.query('Go.'))
  await session.close()
  const results = resultsOf(bodies.at(-1))
  expect(results).toHaveLength(6)
  expect(results[0]).toMatch(/^<persisted-output>/)
  expect(results.reduce((sum, { length }) => sum + length, 0)).toBeLessThanOrEqual(200_000)
  expect(session.view().rounds).toHaveLength(1)
})
