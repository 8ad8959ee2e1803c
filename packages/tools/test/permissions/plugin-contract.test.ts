import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { it } from 'vitest'
import { permissions } from '../../src/index.js'

const rules = { allow: ['look'], ask: ['change'] }

await pluginContract('permissions', { create: () => permissions({ rules }) })

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    plugin: permissions({ rules }),
    runs: 2,
  })
  assertConforms(report)
})
