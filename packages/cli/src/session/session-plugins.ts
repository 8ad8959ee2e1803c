import { join } from 'node:path'
import type { NacreError, Plugin } from '@nacre/core'
import type { Ask, McpOptions, Permissions } from '@nacre/tools'
import type { LoadedSettings } from '../settings/load-settings.js'
import type { Settings } from '../settings/settings.js'
import type { Terminal } from '../terminal.js'
import { loadPlugin } from './plugins/load-plugin.js'
import { pluginRequests } from './plugins/plugin-request.js'

export interface PluginPlan {
  readonly terminal: Pick<Terminal, 'env' | 'home'>
  readonly loaded: LoadedSettings
  readonly data: string
  readonly isTrusted: boolean
  /** Those in force. */
  readonly settings: Settings
  /** Those of the command line. */
  readonly overrides: Settings
  readonly permissions: Permissions
  readonly asking: PluginAsking
}

/** How plugins reach people. */
interface PluginAsking {
  readonly askUser?: Ask | undefined
  /** Nobody is there to be asked. */
  readonly isAlone: boolean
  report(error: NacreError): void
}

/** Every plugin of a session: the program's own layers, the hooks of settings, then the packages that settings name. */
export async function sessionPlugins(plan: PluginPlan): Promise<readonly Plugin[]> {
  const { loaded, data, isTrusted, settings, overrides } = plan
  const places = { data, isTrusted, root: loaded.root }
  const [own, ...named] = await Promise.all([
    ownPlugins(plan),
    ...pluginRequests(loaded, isTrusted, overrides).map((request) => loadPlugin(request, places)),
  ])
  return [...own, ...(await hookPlugins(settings, plan)), ...named.flat()]
}

async function ownPlugins(plan: PluginPlan): Promise<readonly Plugin[]> {
  const [{ standardTools }, { compact }, { sessionMemory }] = await Promise.all([
    import('@nacre/tools'),
    import('@nacre/compact'),
    import('@nacre/session-memory'),
  ])
  const { terminal, loaded, data, isTrusted, settings, overrides, permissions, asking } = plan
  const files = { user: join(terminal.home, '.nacre', 'settings.json'), project: join(loaded.root, '.mcp.json') }
  const { askUser, isAlone } = asking
  // Those of the person's own file are read by the plugin itself.
  const servers = overrides.mcpServers as McpOptions['servers']
  return [
    ...standardTools({
      permissions,
      ...(askUser && { ask: askUser }),
      // Trust in the folder is trust in the servers that it names.
      mcp: { files, environment: terminal.env, ...(servers && { servers }), ...(isTrusted && { approve: () => true }) },
    }),
    sessionMemory({ home: data, project: loaded.root }),
    compact({ ...settings.compact, autonomous: isAlone }),
  ]
}

async function hookPlugins({ hooks = {} }: Settings, { terminal, asking }: PluginPlan): Promise<readonly Plugin[]> {
  if (Object.keys(hooks).length === 0) return []
  const { commandHooks } = await import('@nacre/core/node')
  return [commandHooks(hooks, { report: asking.report, environment: terminal.env })]
}
