import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/headless/output-schema.js'
import { hasSandbox } from '../support/has-sandbox.js'
import { program } from '../support/program.js'
import { reaching } from '../support/reaching.js'
import { stage } from './support.js'

const bash = (input: object) => [{ type: 'tool_use' as const, name: 'Bash', input }]

describe.skipIf(!hasSandbox)('commands of a script, where bubblewrap works', () => {
  it('reach no host that nobody has allowed, and the model reads which rule would allow it', async () => {
    const call = bash({ command: reaching('shop.example'), access: 'write' })
    const { place, exchanges } = await stage(scripted([call, 'Refused.']))
    const { stdout, code } = await program.run(['-p', 'Fetch', '--permission-mode', 'acceptEdits'], place)
    expect({ stdout, code }).toEqual({ stdout: 'Refused.\n', code: 0 })
    expect(exchanges.at(-1)?.body).toContain(
      'The host shop.example:443 was refused: nobody is there to be asked about it. The rule Network(domain:shop.example) allows it.',
    )
  })

  it('do not run outside, with what would allow it in the answer and on stderr', async () => {
    const call = bash({ command: 'npm publish', access: 'outside', reason: 'It needs the key.' })
    const { place, exchanges } = await stage(scripted([call, 'I could not.']))
    const args = ['-p', 'Publish', '--permission-mode', 'acceptEdits', '--output-format', 'json']
    const { stdout, stderr } = await program.run(args, place)
    const way = `--allowed-tools 'Bash(npm publish:*)', with "sandbox": {"outside":["npm publish:*"]} in the settings`
    expect(stderr).toContain(`It asks to run outside of the sandbox: It needs the key. To allow it: ${way}`)
    const [denial] = (JSON.parse(stdout) as Result).denials
    expect(denial).toMatchObject({ by: 'nobody', reason: expect.stringContaining(way) })
    expect(denial?.rule).toBeUndefined()
    expect(exchanges.at(-1)?.body).toContain('Nobody is there to ask. To allow it: --allowed-tools')
  })
})
