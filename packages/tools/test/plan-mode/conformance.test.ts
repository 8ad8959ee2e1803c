import { it } from 'vitest'
import { planMode } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { expectConforms } from '../todos/conforms.js'

it('conforms', async () => {
  const calls = [
    { name: 'EnterPlanMode', input: {} },
    { name: 'ExitPlanMode', input: { plan: 'A happy end.' } },
  ]
  await expectConforms(planMode(), calls, { cwd: await temporaryFolder() })
}, 60_000)
