import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sessionPermissions } from '../../src/plugins/session-plugins.js'
import { openSession } from '../../src/session/open-session.js'
import { loadSettings } from '../../src/settings/load-settings.js'
import { settingsInForce } from '../../src/settings/settings.js'
import { whatNeedsTrust } from '../../src/trust/decide-trust.js'
import { runOptions, stage } from '../session/stage.js'
import { hasSandbox } from '../support/has-sandbox.js'

const loose = { use: 'none', outside: ['docker:*'], bypass: 'outside', hidden: ['keys'] }

it('takes lists of all files together, and of single values the last', async () => {
  const on = await stage()
  await on.write('~/.nacre/settings.json', { sandbox: { use: 'auto', outside: ['git push:*'], hidden: ['~/more'] } })
  await on.write('.nacre/settings.local.json', { sandbox: loose })
  const loaded = await loadSettings(on.terminal)
  expect(settingsInForce(loaded, true).sandbox).toEqual({
    use: 'none',
    outside: ['git push:*', 'docker:*'],
    bypass: 'outside',
    hidden: ['~/more', 'keys'],
  })
})

it.each(['.nacre/settings.json', '.nacre/settings.local.json'])(
  'does not let %s of a folder that nobody trusts take commands out of the sandbox; it may hide more from them',
  async (file) => {
    const on = await stage()
    await on.write('~/.nacre/settings.json', { sandbox: { bypass: 'work' } })
    await on.write(file, { sandbox: loose })
    const loaded = await loadSettings(on.terminal)
    expect(settingsInForce(loaded, false).sandbox).toEqual({ bypass: 'work', hidden: ['keys'] })
    expect((await whatNeedsTrust(loaded)).map(({ kind, what }) => [kind, what])).toEqual([
      ['permission', 'sets where commands run: {"use":"none","outside":["docker:*"],"bypass":"outside"}'],
    ])
  },
)

it('asks for no trust where a folder only hides more', async () => {
  const on = await stage()
  await on.write('.nacre/settings.json', { sandbox: { hidden: ['keys'] } })
  expect(await whatNeedsTrust(await loadSettings(on.terminal))).toEqual([])
})

it('switches the sandbox off by use: none, and says so', async () => {
  const on = await stage()
  const loaded = await loadSettings(on.terminal)
  const { root, data, terminal } = on
  expect(loaded.root).toBe(root)
  const settings = { sandbox: { use: 'none' } } as const
  const permissions = await sessionPermissions({ terminal, loaded, data, isTrusted: false, settings, overrides: {} })
  const { sandbox } = permissions
  expect(await sandbox?.status()).toEqual({ name: 'none', reason: 'it is switched off by a setting.' })
  expect(sandbox?.isReady).toBe(false)
})

it.skipIf(!hasSandbox)(
  'hides the data folder and what settings name from commands, where bubblewrap works',
  async () => {
    const on = await stage()
    await on.write('~/.nacre/settings.json', { sandbox: { hidden: ['~/more/keys', 'vault'] } })
    await on.write('~/more/keys/one', 'key one')
    await on.write('vault/two', 'key two')
    await on.write('plain', 'no key')
    await writeFile(join(on.data, 'three'), 'key three')
    const { session, close } = await openSession(on.terminal, runOptions())
    onTestFinished(close)
    let said = ''
    const command = `cat plain ${on.home}/more/keys/one vault/two ${on.data}/three`
    for await (const event of session.query(`Run \`${command}\``))
      if (event.type === 'tool-end') said += JSON.stringify(event.result.content)
    expect(said).toContain('no key')
    expect(said).not.toMatch(/key (one|two|three)/)
  },
)
