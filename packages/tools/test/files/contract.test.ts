import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { pluginContract } from '@nacre/core/testing'
import { assertConforms, pluginConformance } from '@nacre/simulator/conformance'
import { expect, it } from 'vitest'
import { files } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'

await pluginContract('files', { create: () => files() })

it('conforms', async () => {
  const folder = await temporaryFolder()
  const file_path = join(folder, 'a.txt')
  await writeFile(file_path, 'some lines\n'.repeat(40))
  const report = await pluginConformance({
    createSession,
    model: (baseURL) => anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none', baseURL }),
    plugin: files(),
    calls: [
      { name: 'Read', input: { file_path } },
      { name: 'Read', input: { file_path, offset: 3, limit: 2 } },
      { name: 'Read', input: { file_path: join(folder, 'missing.txt') } },
      { name: 'Edit', input: { file_path, old_string: 'not there', new_string: 'x' } },
      // All plays of the kit share the disk, so none of them may change it.
      { name: 'Write', input: { file_path: join(file_path, 'below-a-file'), content: '' } },
    ],
    runs: 2,
  })
  assertConforms(report)
  expect(report.requests).toBeGreaterThan(60)
})
