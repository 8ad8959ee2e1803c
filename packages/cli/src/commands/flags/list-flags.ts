import { createSession, definePlugin, type FlagState, memoryStore } from '@nacre/core'
import { EXIT } from '../../exit-codes.js'
import { dataPlace } from '../../session/data-place.js'
import { sessionPermissions } from '../../session/session-permissions.js'
import { sessionPlugins } from '../../session/session-plugins.js'
import { type LoadedSettings, loadSettings } from '../../settings/load-settings.js'
import { settingsInForce } from '../../settings/settings-in-force.js'
import type { Terminal } from '../../terminal.js'
import { isTrusted } from '../../trust/is-trusted.js'
import { silentModel } from '../silent-model.js'

/** Prints the flags of the plugins that a session here would have. */
export async function listFlags(terminal: Terminal, isJson: boolean): Promise<number> {
  const loaded = await loadSettings(terminal)
  const data = dataPlace(terminal)
  const trusted = await isTrusted(data, loaded.root)
  const settings = settingsInForce(loaded, trusted)
  const place = { loaded, isTrusted: trusted, overrides: {} }
  const permissions = await sessionPermissions({ ...place, home: terminal.home })
  const asking = { isAlone: true, report: () => undefined }
  const plugins = await sessionPlugins({ ...place, terminal, data, settings, permissions, asking })
  const session = await createSession({
    model: silentModel(),
    store: memoryStore(),
    // Their flags are meant and nothing else: no server starts and no hook runs.
    plugins: plugins.map(({ name, flags = {} }) => definePlugin<string>({ name, flags, setup: () => ({}) })),
    details: { flagSources: { settings: settings.flags, environment: terminal.env } },
  })
  const listed = session.flags.list().map((flag) => ({ ...flag, from: originOf(flag, loaded, trusted) }))
  await session.close()
  const width = Math.max(...listed.map(({ name }) => name.length))
  const lines = listed.map(({ name, value, from }) => `${name.padEnd(width)}  ${value ? 'on ' : 'off'}  ${from}`)
  terminal.stdout.write(`${isJson ? JSON.stringify(listed, null, 2) : lines.join('\n')}\n`)
  return EXIT.done
}

/** The file, where one sets it. */
function originOf({ name, from }: FlagState, { files }: LoadedSettings, isTrusted: boolean): string {
  if (from === 'environment') return 'NACRE_FLAGS'
  const counted = files.filter(({ level }) => level === 'user' || isTrusted)
  return from === 'settings' ? (counted.findLast(({ settings }) => name in (settings.flags ?? {}))?.path ?? from) : from
}
