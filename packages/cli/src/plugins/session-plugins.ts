import { join, resolve } from 'node:path'
import type { Agents, AgentsOptions } from '@nacre/agents'
import type { Model, NacreError, Plugin } from '@nacre/core'
import type {
  Ask,
  AskHost,
  McpOptions,
  PermissionMode,
  Permissions,
  SettingsLevel,
  WebSearchOptions,
} from '@nacre/tools'
import type { LoadedSettings, SandboxSettings, Settings } from '../settings/settings.js'
import type { Terminal } from '../terminal/terminal.js'
import { loadPlugin, pluginRequests } from './load-plugin.js'

interface PluginContext {
  readonly terminal: Pick<Terminal, 'env' | 'home'>
  readonly loaded: LoadedSettings
  readonly data: string
  readonly isTrusted: boolean
  /** Those in force. */
  readonly settings: Settings
  /** Those of the command line: above all files. */
  readonly overrides: Settings
  readonly askUser?: Ask | undefined
  /** Whether commands may reach a host; none that no rule allows unless told. */
  readonly askHost?: AskHost | undefined
  /** Nobody is there to be asked. */
  readonly isAlone: boolean
  /** The model of an agent whose definition names one. */
  makeModel(name: string): Model
  report(error: NacreError): void
}

interface SessionPlugins {
  readonly permissions: Permissions
  readonly agents: Agents
  /** The program's own layers, the hooks of settings, then the packages that settings name. */
  readonly plugins: readonly Plugin[]
}

/** The permissions and every plugin of a session. */
export async function sessionPlugins(context: PluginContext): Promise<SessionPlugins> {
  const { loaded, data, isTrusted, overrides } = context
  const permissions = await sessionPermissions(context)
  const agents = await sessionAgents(context)
  const places = { data, isTrusted, root: loaded.root }
  const [own, ...named] = await Promise.all([
    ownPlugins(context, permissions, agents),
    ...pluginRequests(loaded, isTrusted, overrides).map((request) => loadPlugin(request, places)),
  ])
  return { permissions, agents, plugins: [...own, ...(await hookPlugins(context)), ...named.flat()] }
}

async function ownPlugins(
  context: PluginContext,
  permissions: Permissions,
  agents: Agents,
): Promise<readonly Plugin[]> {
  const [{ standardTools }, { compact }, { sessionMemory }, { dream }] = await Promise.all([
    import('@nacre/tools'),
    import('@nacre/compact'),
    import('@nacre/session-memory'),
    import('@nacre/dream'),
  ])
  const { terminal, loaded, data, isTrusted, settings, overrides, askUser, isAlone } = context
  const files = { user: join(terminal.home, '.nacre', 'settings.json'), project: join(loaded.root, '.mcp.json') }
  // Those of the person's own file are read by the plugin itself.
  const servers = overrides.mcpServers as McpOptions['servers']
  return [
    ...standardTools({
      permissions,
      isTrusted,
      ...(askUser && { ask: askUser }),
      // Trust in the folder is trust in the servers that it names.
      web: { search: await searchOptions(settings, terminal.env, permissions) },
      mcp: { files, environment: terminal.env, ...(servers && { servers }), ...(isTrusted && { approve: () => true }) },
    }),
    sessionMemory({ home: data, project: loaded.root }),
    dream({ home: data, project: loaded.root, ...settings.dream }),
    agents.plugin,
    ...compact({ ...settings.compact, autonomous: isAlone }),
  ]
}

/** Who may search the web, by settings and rules. Settings that can't work are an error that says what is missing. */
export async function searchOptions(
  { webSearch = {} }: Settings,
  env: Terminal['env'],
  { judgeServerSearch }: Pick<Permissions, 'judgeServerSearch'>,
): Promise<WebSearchOptions> {
  const { braveSearch, searxngSearch } = await import('@nacre/tools')
  const { server, provider, endpoint, key, keyVariable, ...rest } = webSearch
  const ownKey = key ?? (keyVariable === undefined ? undefined : env[keyVariable]?.trim())
  const way = { ...(endpoint !== undefined && { endpoint }), ...(ownKey && { key: ownKey }) }
  return {
    ...rest,
    server: server === false ? false : judgeServerSearch,
    ...(provider && { provider: provider === 'brave' ? braveSearch(way) : searxngSearch(way) }),
  }
}

/** Definitions and memory of a folder count only where it is trusted: they say what agents are told and may do. */
async function sessionAgents({
  terminal,
  loaded,
  data,
  isTrusted,
  settings,
  makeModel,
}: PluginContext): Promise<Agents> {
  const { createAgents } = await import('@nacre/agents')
  const { team, name, socket = true, atOnce, deadlineSeconds, dollars } = settings.agents ?? {}
  const limits: AgentsOptions['limits'] = {
    ...(atOnce !== undefined && { atOnce }),
    ...(deadlineSeconds !== undefined && { deadline: deadlineSeconds * 1_000 }),
    ...(dollars !== undefined && { dollars }),
  }
  return createAgents({
    home: terminal.home,
    data,
    limits,
    model: makeModel,
    // There are none that others could find on Windows.
    socket: socket && process.platform !== 'win32',
    ...(isTrusted && { project: loaded.root }),
    ...(team !== undefined && name !== undefined && { team: { team, name } }),
  })
}

async function hookPlugins({ terminal, settings: { hooks = {} }, report }: PluginContext): Promise<readonly Plugin[]> {
  if (Object.keys(hooks).length === 0) return []
  const { commandHooks } = await import('@nacre/core/node')
  return [commandHooks(hooks, { report, environment: terminal.env })]
}

type Mode = NonNullable<NonNullable<Settings['permissions']>['mode']>

const MODES: Readonly<Record<Mode, PermissionMode>> = {
  default: 'default',
  acceptEdits: 'accept-edits',
  plan: 'plan',
  bypassPermissions: 'bypass',
}

/**
 * The rules and the mode of a session, with the sandbox that its commands run in. Of a folder that nobody trusts only what
 * forbids and what asks counts: it can make a session stricter, not looser.
 */
export async function sessionPermissions({
  terminal,
  loaded,
  data,
  isTrusted,
  settings,
  overrides,
  askHost,
}: Pick<PluginContext, 'loaded' | 'data' | 'isTrusted' | 'settings' | 'overrides' | 'askHost'> & {
  readonly terminal: Pick<Terminal, 'home'>
}): Promise<Permissions> {
  const { createPermissions, createSandbox, hostGate, readPermissionSettings } = await import('@nacre/tools')
  const { home } = terminal
  const { use, outside, bypass, hidden = [] } = settings.sandbox ?? {}
  const hasProject = loaded.files.some(({ level }) => level === 'project')
  const levels: SettingsLevel[] = ['managed', 'user', ...(hasProject ? (['project'] as const) : []), 'local']
  const read = (which: readonly SettingsLevel[]) => readPermissionSettings({ cwd: loaded.root, home, levels: which })
  const all = await read(levels)
  const own = isTrusted ? all : await read(['managed', 'user'])
  const isStrict = ({ verdict, origin }: (typeof all.rules)[number]) =>
    verdict !== 'allow' || origin.level === 'managed' || origin.level === 'user'
  const { mode, workspace, allow = [], deny = [], ask = [] } = overrides.permissions ?? {}
  const sandbox = createSandbox({
    home,
    ...(use && { use }),
    hidden: [data, ...hiddenPlaces(hidden, { home, root: loaded.root })],
    allows: hostGate((host) => permissions.judgeHost(host), askHost),
  })
  const permissions = createPermissions({
    sandbox,
    ...(outside && { outside }),
    ...(bypass && { bypass }),
    settings: isTrusted ? all : { ...own, rules: all.rules.filter(isStrict) },
    rules: { allow, deny, ask },
    ...(mode && { mode: MODES[mode] }),
    ...(workspace && { workspace }),
  })
  return permissions
}

interface Places {
  readonly home: string
  readonly root: string
}

function hiddenPlaces(named: NonNullable<SandboxSettings['hidden']>, { home, root }: Places): readonly string[] {
  return named.map((place) => (/^~(\/|$)/.test(place) ? join(home, place.slice(1)) : resolve(root, place)))
}
