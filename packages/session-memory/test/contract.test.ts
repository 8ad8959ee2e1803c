import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { afterAll, it } from 'vitest'
import { sessionMemory } from '../src/index.js'

const home = mkdtempSync(join(tmpdir(), 'nacre-notes-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

await pluginContract('session-memory', { create: () => sessionMemory({ home }) })

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    // No updates: when they end is up to the server, and the kit compares what two plays have sent.
    plugin: sessionMemory({ home, dailyDollars: 0 }),
    calls: [{ name: 'UpdateNotes', input: { edits: 'none' } }],
    runs: 2,
  })
  assertConforms(report)
})
