import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import type { Result } from '../../src/headless/output-schema.js'
import { program } from '../support/program.js'
import { stage } from './support.js'

const removal = [{ type: 'tool_use' as const, name: 'Bash', input: { command: 'rm -rf "$NACRE_HOME"' } }]

it.runIf(process.platform !== 'win32').each(['json', 'stream-json'])(
  'says how it ended, and why, also where the data folder is removed meanwhile: %s',
  async (format) => {
    const { place } = await stage(scripted([removal, 'Gone.']))
    const args = ['-p', 'Remove it', '--permission-mode', 'bypassPermissions', '--output-format', format]
    const { code, stdout, stderr } = await program.run(args, place)
    const lines = stdout.trimEnd().split('\n')
    const said = lines.map((line) => JSON.parse(line) as Result)
    const result = said.find(({ type }) => type === 'result')
    expect(code).toBe(1)
    expect(result).toMatchObject({ end: 'error', exitCode: 1, error: { code: 'STORE_UNWRITABLE' } })
    expect(result?.error?.message).toContain('was removed while the session was open')
    expect(said.at(-1)).toMatchObject({ type: format === 'json' ? 'result' : 'end', exitCode: 1 })
    expect(stderr).not.toContain('no such file')
  },
)
