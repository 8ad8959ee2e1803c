import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { afterAll, it } from 'vitest'
import { mcp } from '../../src/index.js'
import { httpServer, only } from './test-server.js'

const over: (() => Promise<void>)[] = []
const server = await httpServer(
  { tools: ['echo'], instructions: 'Echo in moderation.' },
  (work) => void over.push(work),
)

await pluginContract('mcp', { create: () => mcp(only({ one: server })) })

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    plugin: mcp(only({ one: server }, { deferAbove: 0 })),
    calls: [{ name: 'ToolSearch', input: { query: 'echo' } }],
    runs: 1,
    seed: 1,
  })
  assertConforms(report)
})

afterAll(async () => {
  for (const work of over.reverse()) await work()
})
