import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSession, type Plugin } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { expect, it } from 'vitest'
import { files, instructions } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const nowhere = { managed: '/nonexistent', home: '/nonexistent' }

await pluginContract('instructions', { create: () => instructions(nowhere) })

/** The plugin in a folder of its own: the sessions of the kit are in that of the process. */
function inFolder(plugin: Plugin, cwd: string): Plugin {
  return { ...plugin, setup: (context) => plugin.setup({ ...context, cwd }) }
}

it('conforms', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'AGENTS.md'), 'Use tabs.')
  await writeFile(join(folder, 'src', 'AGENTS.md'), 'Use spaces here.')
  await writeFile(join(folder, 'src', 'a.txt'), 'some lines\n'.repeat(40))
  const calls = [1, 2, 3].map((limit) => ({ name: 'Read', input: { file_path: join(folder, 'src', 'a.txt'), limit } }))
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none', baseURL }),
    plugin: inFolder(instructions(nowhere), folder),
    beside: [files()],
    calls,
    runs: 2,
  })
  assertConforms(report)
  expect(report.requests).toBeGreaterThan(60)
})
