import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPermissions, createSandbox, type PermissionMode, standardTools } from '@nacre/tools'
import { expect, it, onTestFinished } from 'vitest'
import { hasSandbox } from '../support/has-sandbox.js'
import { lastWords, startAgent, talk, use } from './talk.js'

const bash = (command: string, access = 'read') => use('Bash', { command, access })

/** What an agent that only looks reads of its commands, and what they leave in the working folder. */
async function looked(mode: PermissionMode, commands: readonly ReturnType<typeof bash>[]) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'nacre-looking-')))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const permissions = createPermissions({ mode, sandbox: createSandbox() })
  const { say, asked } = await talk(
    (source, words) => {
      if (source === 'main') {
        if (words === 'Begin.') return [bash('echo a note of the parent > /tmp/note; cat /tmp/note')]
        if (words === 'Go.') return [startAgent({ prompt: 'Look.', subagent_type: 'explore', name: 'looker' })]
        return 'ok'
      }
      return words.includes('Look.') ? commands : 'I have looked.'
    },
    { cwd, plugins: standardTools({ permissions, mcp: { files: {} } }) },
  )
  await say('Begin.')
  await say('Go.')
  return { said: lastWords(asked('agent:looker')[1]), files: readdirSync(cwd) }
}

it.skipIf(!hasSandbox)(
  'an agent that only looks runs what only reads in the sandbox of its parent, where bubblewrap works',
  async () => {
    const { said, files } = await looked('default', [
      bash('cat /tmp/note; node -p "6 * 7"'),
      bash('echo x > made'),
      bash('true', 'write'),
    ])
    expect(said).toContain('a note of the parent\n42')
    expect(said.match(/The agent type explore only looks/g)).toHaveLength(2)
    expect(files).toEqual([])
  },
)

it.each(['accept-edits', 'bypass'] as const)('an agent that only looks can look in the mode %s', async (mode) => {
  const { said } = await looked(mode, [bash('ls -la')])
  expect(said).not.toContain('only looks')
  expect(said).toContain('total')
})
