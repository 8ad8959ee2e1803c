import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { afterAll, it } from 'vitest'
import { dream } from '../src/index.js'

const home = mkdtempSync(join(tmpdir(), 'nacre-dream-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

await pluginContract('dream', { create: () => dream({ home, project: join(home, 'project') }) })

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    // No extraction: when it ends is up to the server, and the kit compares what two plays have sent.
    plugin: dream({ home, project: join(home, 'project'), dailyDollars: 0 }),
    calls: [
      { name: 'memory', input: { command: 'view' } },
      { name: 'memory', input: { command: 'search', query: 'tabs' } },
      { name: 'memory', input: { command: 'nonsense' } },
    ],
    runs: 2,
  })
  assertConforms(report)
})
