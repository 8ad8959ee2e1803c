import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { planFile, planMode } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { expectConforms } from '../todos/conforms.js'

it('conforms', async () => {
  const cwd = await temporaryFolder()
  const calls = [
    { name: 'EnterPlanMode', input: {} },
    { name: 'ExitPlanMode', input: { plan: 'A happy end.' } },
  ]
  await expectConforms(planMode(), calls, { cwd })
  // Both tools have run: the kit calls its session so.
  expect(await readFile(planFile(cwd, 'conformance'), 'utf8')).toBe('A happy end.\n')
})
