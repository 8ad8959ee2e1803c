import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { it } from 'vitest'
import { minutes } from './index.js'

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    // Never in the background: when that ends is up to the server, and the kit compares what two plays have sent.
    plugin: minutes({ every: Number.POSITIVE_INFINITY }),
    calls: [{ name: 'agenda', input: { item: 'a happy end' } }],
    runs: 2,
  })
  assertConforms(report)
}, 60_000)
