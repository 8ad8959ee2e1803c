import { realpathSync } from 'node:fs'
import { createSession, type NacreError, type Session, type Store } from '@nacre/core'
import type { RunOptions } from '../arguments/run-options.js'
import { type LoadedSettings, loadSettings } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'
import { settingsInForce } from '../settings/settings-in-force.js'
import type { Terminal } from '../terminal.js'
import { dataPlace } from './data-place.js'
import { decideTrust, withheldNotice } from './decide-trust.js'
import type { OpenNeeds } from './open-needs.js'
import type { OpenedSession } from './opened-session.js'
import { projectStore } from './project-store.js'
import { type SessionModels, sessionModels } from './session-models.js'
import { sessionPermissions } from './session-permissions.js'
import { sessionPlugins } from './session-plugins.js'
import { type SwitchedFlags, switchedFlags } from './switched-flags.js'
import { systemPrompt } from './system-prompt.js'
import { whichSession } from './which-session.js'

const OFFLINE =
  'Offline: no language model answers, only rules that list, read, search, write and run. Dollars are what the API would have charged.'

/** Opens the session that the command line asks for, with all that settings and a trusted folder bring along. */
export async function openSession(
  terminal: Terminal,
  options: RunOptions,
  needs: OpenNeeds = {},
): Promise<OpenedSession> {
  const loaded = await loadSettings(terminal)
  const data = dataPlace(terminal)
  const { isTrusted, withheld } = await decideTrust({ loaded, data, now: terminal.now }, needs)
  const settings = settingsInForce(loaded, isTrusted, options.overrides)
  const models = sessionModels({ env: terminal.env, settings, isOffline: options.isOffline })
  const notices = [
    ...(options.isOffline ? [OFFLINE] : []),
    ...(withheld.length > 0 ? [withheldNotice(loaded.root, withheld)] : []),
    ...models.first.info.warnings,
  ]
  const errors: NacreError[] = []
  const report = (error: NacreError) => {
    errors.push(error)
    needs.report?.(error)
  }
  try {
    const store = projectStore(terminal, loaded.root, ({ text }) => notices.push(text))
    const parts = { terminal, options, needs, loaded, data, isTrusted, settings, models, store, report }
    return { ...(await start(parts, errors)), isOffline: options.isOffline, notices }
  } catch (error) {
    await models.close()
    throw error
  }
}

interface Parts {
  readonly terminal: Terminal
  readonly options: RunOptions
  readonly needs: OpenNeeds
  readonly loaded: LoadedSettings
  readonly data: string
  readonly isTrusted: boolean
  readonly settings: Settings
  readonly models: SessionModels
  readonly store: Store
  report(error: NacreError): void
}

type Started = Omit<OpenedSession, 'isOffline' | 'notices'>

async function start(parts: Parts, errors: readonly NacreError[]): Promise<Started> {
  const { terminal, options, needs, loaded, settings, models, store } = parts
  const { overrides } = options
  const permissions = await sessionPermissions({ ...parts, home: terminal.home, overrides })
  const asking = { askUser: needs.askUser, isAlone: options.print !== undefined, report: parts.report }
  const plugins = await sessionPlugins({ ...parts, overrides, permissions, asking })
  const open = await whichSession(options.open, store, needs)
  const flags = switchedFlags(overrides.flags)
  const session = await createSession({
    model: models.first,
    plugins,
    system: systemPrompt(loaded.root, terminal.now),
    store,
    cwd: realpathSync(terminal.cwd),
    ...(open && { open }),
    details: {
      limits: options.limits,
      ...(needs.ask && { ask: needs.ask }),
      flagSources: { settings: settings.flags, environment: terminal.env, live: flags },
      senses: { now: terminal.now },
      report: parts.report,
    },
  })
  // While a person still types, the client can be loaded; whoever has asked already waits for it anyway.
  if (options.print === undefined) setImmediate(models.first.warm)
  return {
    session,
    model: models.first.info,
    settings,
    permissions,
    plugins,
    controls: controlsOf(parts, session, flags, errors),
    async close() {
      try {
        await session.close()
      } finally {
        await models.close()
      }
    },
  }
}

function controlsOf(
  { terminal, models, store }: Parts,
  session: Session,
  flags: SwitchedFlags,
  errors: readonly NacreError[],
): OpenedSession['controls'] {
  return {
    store,
    modelNames: models.names,
    makeModel: async (name) => models.make(name),
    setFlag(name, value) {
      // A name that nothing has is an error here, and not a switch that does nothing.
      session.flags.isOn(name)
      flags.set(name, value)
    },
    errors: () => errors,
    diagnose: async (signal) => (await import('./diagnose/diagnose.js')).diagnose(terminal, signal),
  }
}
