import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { it } from 'vitest'
import { shell } from '../../src/index.js'

it('conforms', async () => {
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL }),
    // Nobody is there to be asked.
    plugin: shell({ isReadOnlyCommand: () => true }),
    calls: [
      { name: 'Bash', input: { command: 'echo out; echo err >&2' } },
      { name: 'Bash', input: { command: 'cd /; pwd; exit 3' } },
      { name: 'BashOutput', input: { id: 'bash_1' } },
      { name: 'KillBash', input: { id: 'bash_1' } },
    ],
    runs: 2,
  })
  assertConforms(report)
})
