import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { it } from 'vitest'
import { agents } from '../src/index.js'

await pluginContract('agents', { create: () => agents() })

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    plugin: agents(),
    calls: [{ name: 'Agents', input: { action: 'list' } }],
    runs: 2,
  })
  assertConforms(report)
})
