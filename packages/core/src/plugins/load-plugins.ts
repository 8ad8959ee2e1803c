import { callWithin, realTimer } from '../async.js'
import { isNacreError, messageOf, NacreError, shown } from '../errors.js'
import type { Source } from '../types/fork.js'
import { hookKinds } from '../types/hooks.js'
import type { Rung } from '../types/log.js'
import type { Contribution, Plugin, Scope, SetupContext } from '../types/plugin.js'
import type { SessionStore } from '../types/store.js'
import { nearest } from './flags.js'

export interface LoadOptions {
  readonly plugins: readonly Plugin[]
  /** Sessions of any source but `main` set up no plugins of scope `main`. */
  readonly source: Source
  readonly context: Omit<SetupContext, 'flag' | 'store' | 'session'>
  /** The session's store as a plugin of that name has it. */
  storeFor(owner: string): SessionStore
  /** The session as a plugin of that name can use it. */
  sessionFor(owner: string): SetupContext['session']
  isOn(flag: string): boolean
  /** Hears of what fails while plugins are disposed. Must not throw. */
  report(error: NacreError): void
  /** Ends loading between two setups. */
  readonly signal?: AbortSignal
  readonly limits?: PluginLimits | undefined
}

/** Milliseconds; `Infinity` for a plugin that limits itself. */
export interface PluginLimits {
  /** For the setup of each plugin; 60,000 unless told. */
  readonly setup?: number
  /** For what each plugin does when it is disposed; 10,000 unless told. */
  readonly dispose?: number
}

const SETUP = 60_000
const DISPOSE = 10_000

/** The plugins of a list in which there may be lists. Throws where one is none, before anybody asks it for its name. */
export function pluginsIn(given: unknown): readonly Plugin[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) {
    throw new NacreError('PLUGIN_SETUP_FAILED', `'plugins' has to be a list of plugins, and is ${shown(given)}.`)
  }
  const all = given.flat() as readonly unknown[]
  for (const [index, plugin] of all.entries()) {
    const { name, setup } = Object(plugin) as { readonly name?: unknown; readonly setup?: unknown }
    const isNamed = typeof name === 'string' && name.trim() !== ''
    if (isNamed && typeof plugin === 'object' && typeof setup === 'function') continue
    const hint = typeof plugin === 'function' ? ' Call it: what it gives is the plugin.' : ''
    const what = isNamed && typeof plugin === 'object' ? `Plugin '${name}' has no setup` : `It is ${shown(plugin)}`
    const message = `Number ${index + 1} of the plugins is none: a plugin is an object with a name and a setup. ${what}.${hint}`
    throw new NacreError('PLUGIN_SETUP_FAILED', message, isNamed ? { plugin: name } : {})
  }
  return all as readonly Plugin[]
}

/** A plugin that is set up in a session. */
export interface LoadedPlugin {
  readonly name: string
  /** Who stands behind what it does: itself, or the plugin that it is a part of. */
  readonly owner: string
  readonly scope: Scope
  readonly contribution: Contribution
  /** What its setup was given, and its prompt sections will be. */
  readonly context: SetupContext
  /** How long its setup took. */
  readonly milliseconds: number
}

export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[]
  /** In reverse order, each once however often it is called; never rejects. */
  dispose(): Promise<void>
}

/** Sets plugins up in order, and takes all of it back if one fails. One that is switched off at this point is left out. */
export async function loadPlugins(options: LoadOptions): Promise<LoadedPlugins> {
  const { plugins, source, isOn, report, signal, limits = {} } = options
  checkPlugins(plugins, isOn)
  const hooks = [...Object.keys(hookKinds), ...plugins.flatMap(({ ownHooks = [] }) => ownHooks)]
  const claim = claimNames()
  const loaded: LoadedPlugin[] = []
  let disposed: Promise<void> | undefined
  const dispose = () => {
    disposed ??= disposeInReverse(loaded, report, limits.dispose ?? DISPOSE)
    return disposed
  }
  try {
    for (const plugin of plugins) {
      if (!isOn(ownerOf(plugin)) || (source !== 'main' && isOnlyMain(plugin))) continue
      if (signal?.aborted)
        throw new NacreError('ABORTED', 'Aborted while plugins were set up.', { cause: signal.reason })
      const ready = await setUp(plugin, options)
      loaded.push(ready)
      claimFor(plugin.name, () => {
        checkContribution(ready.contribution, hooks)
        claim(plugin.name, ready.contribution)
      })
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { plugins: loaded, dispose }
}

/** What a contribution throws when it is looked at is its plugin's fault too. */
function claimFor(plugin: string, claim: () => void): void {
  try {
    claim()
  } catch (error) {
    throw isNacreError(error) ? error : pluginError(plugin, 'could not be set up', error)
  }
}

function isOnlyMain({ scope = 'main' }: Plugin): boolean {
  return scope === 'main'
}

function ownerOf({ name, partOf }: Plugin): string {
  return partOf ?? name
}

async function setUp(
  plugin: Plugin,
  { context: shared, storeFor, sessionFor, isOn, limits }: LoadOptions,
): Promise<LoadedPlugin> {
  const { name, scope = 'main' } = plugin
  const owner = ownerOf(plugin)
  const flag = (part: string) => isOn(owner) && isOn(`${owner}.${part}`)
  const context: SetupContext = { ...shared, store: storeFor(owner), session: sessionFor(owner), flag }
  const start = context.now()
  try {
    const contribution = await contributionOf(plugin, context, limits?.setup ?? SETUP)
    return { name, owner, scope, contribution, context, milliseconds: context.now() - start }
  } catch (error) {
    throw pluginError(name, 'could not be set up', error)
  }
}

async function contributionOf(plugin: Plugin, context: SetupContext, limit: number): Promise<Contribution> {
  let made: unknown
  const contribution: unknown = await within(limit, 'limits.setup', async () => (made = plugin.setup(context))).catch(
    async (error: unknown) => {
      // What comes too late is not left running.
      Promise.resolve(made as Promise<Contribution>)
        .then((late) => late?.dispose?.())
        .catch(() => undefined)
      throw error
    },
  )
  if (typeof contribution === 'object' && contribution !== null) return contribution
  throw new Error(`setup has to give an object, {} where it brings nothing, and gave ${shown(contribution)}`)
}

/** Waits no longer than that for a plugin. `option`: where the time is told. */
async function within<T>(limit: number, option: string, work: () => Promise<T>): Promise<T> {
  const limits = { signal: new AbortController().signal, timeout: limit, timer: realTimer }
  try {
    return await callWithin(limits, work)
  } catch (error) {
    if (!isNacreError(error, 'HOOK_TIMEOUT')) throw error
    throw new Error(`${error.message}; '${option}' of the session gives it more`, { cause: error })
  }
}

async function disposeInReverse(
  loaded: readonly LoadedPlugin[],
  report: LoadOptions['report'],
  limit: number,
): Promise<void> {
  for (const plugin of loaded.toReversed()) {
    const { contribution } = plugin
    if (!contribution.dispose) continue
    try {
      await within(limit, 'limits.dispose', async () => contribution.dispose?.())
    } catch (error) {
      report(pluginError(plugin.name, 'could not be disposed', error))
    }
  }
}

function pluginError(plugin: string, what: string, cause: unknown): NacreError {
  return new NacreError('PLUGIN_SETUP_FAILED', `Plugin '${plugin}' ${what}: ${messageOf(cause)}`, { plugin, cause })
}

/** Throws when a name comes twice, or when a plugin lacks one that it requires. Runs before any setup does. */
function checkPlugins(plugins: readonly Plugin[], isOn: (plugin: string) => boolean): void {
  const names = plugins.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    const message = `Two plugins are called '${twice}'. Leave one of them out of the list.`
    throw new NacreError('DUPLICATE_PLUGIN', message, { plugin: twice })
  }
  for (const [index, plugin] of plugins.entries()) {
    if (!isOn(ownerOf(plugin))) continue
    for (const required of [...(plugin.partOf === undefined ? [] : [plugin.partOf]), ...(plugin.requires ?? [])]) {
      const at = names.indexOf(required)
      const wrong = whatIsWrong(plugin, required, plugins[at], at < index, isOn)
      if (!wrong) continue
      const needs = required === plugin.partOf ? 'is a part of' : 'requires'
      const message = `Plugin '${plugin.name}' ${needs} '${required}', which ${wrong}`
      throw new NacreError('MISSING_PLUGIN', message, { plugin: plugin.name, holder: required })
    }
  }
}

function whatIsWrong(
  plugin: Plugin,
  required: string,
  found: Plugin | undefined,
  isEarlier: boolean,
  isOn: (plugin: string) => boolean,
): string | undefined {
  const { name } = plugin
  if (!found) return `is not in the list. Put it before '${name}', or leave '${name}' out.`
  if (!isEarlier) return `comes later in the list. Move it before '${name}'.`
  if (!isOn(ownerOf(found))) return `is switched off. Switch '${required}' on, or '${name}' off as well.`
  const isMissing = !isOnlyMain(plugin) && isOnlyMain(found)
  return isMissing ? `is not set up in sub-agents. Give '${required}' the scope '${plugin.scope}'.` : undefined
}

const RUNGS: readonly string[] = ['erase', 'clear', 'notes', 'summary', 'digest'] satisfies readonly Rung[]

/** Throws where something of a contribution could not be used: said now, and not in the middle of a turn. */
function checkContribution(contribution: Contribution, hookNames: readonly string[]): void {
  for (const list of ['tools', 'commands', 'reliefs', 'restorers', 'prompt'] as const) {
    const given: unknown = contribution[list]
    if (given !== undefined && !Array.isArray(given))
      throw new Error(`'${list}' has to be a list, and is ${shown(given)}`)
  }
  const { tools = [], commands = [], reliefs = [], restorers = [], prompt = [], hooks = {} } = contribution
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
  const mustHave = (kind: string, item: { readonly name: string }, field: string, isThere: boolean) => {
    if (!isText(item?.name)) throw new Error(`a ${kind} has no name`)
    if (!isThere) throw new Error(`${kind} '${item.name}' has no usable ${field}`)
  }
  for (const tool of tools) {
    mustHave('tool', tool, 'description', typeof tool?.description === 'string')
    mustHave(
      'tool',
      tool,
      'schema',
      typeof tool.schema?.parse === 'function' && Object(tool.schema.json) === tool.schema.json,
    )
    mustHave('tool', tool, 'run', typeof tool.run === 'function')
  }
  for (const command of commands) {
    mustHave('command', command, 'help', isText(command?.help))
    mustHave('command', command, 'run', typeof command.run === 'function')
  }
  for (const relief of reliefs) {
    mustHave('relief', relief, 'rung', RUNGS.includes(relief?.rung))
    mustHave('relief', relief, 'offer', typeof relief.offer === 'function')
  }
  for (const restorer of restorers) mustHave('restorer', restorer, 'restore', typeof restorer?.restore === 'function')
  for (const section of prompt) mustHave('section', section, 'text', typeof section?.text === 'function')
  if (Object(hooks) !== hooks) throw new Error(`'hooks' has to be an object, and is ${shown(hooks)}`)
  for (const [name, hook] of Object.entries(hooks)) {
    if (hook === undefined) continue
    if (!hookNames.includes(name)) throw new Error(unknownHook(name, hookNames))
    mustHave(
      'hook',
      { name },
      'handler',
      typeof (hook as { handler?: unknown })?.handler === 'function' || typeof hook === 'function',
    )
  }
}

/** A handler that nobody would ever ask: the worst gate is one that is never closed. */
function unknownHook(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  const hint = near ? ` Did you mean '${near}'?` : ''
  return `there is no hook '${name}'.${hint} Hooks beyond those of core stand in 'ownHooks' of a plugin in the list`
}

/** Takes the names of a plugin's tools, commands and reliefs; throws when another plugin, or the same, has one already. */
type ClaimNames = (plugin: string, contribution: Contribution) => void

function claimNames(): ClaimNames {
  const holders = new Map<string, string>()
  return (plugin, { tools = [], commands = [], reliefs = [] }) => {
    const parts = { tool: tools, command: commands, relief: reliefs }
    for (const [kind, named] of Object.entries(parts)) {
      for (const { name } of named) {
        const holder = holders.get(`${kind} ${name}`)
        if (holder !== undefined) throw takenError(kind, name, holder, plugin)
        holders.set(`${kind} ${name}`, plugin)
      }
    }
  }
}

function takenError(kind: string, name: string, holder: string, plugin: string): NacreError {
  const who = holder === plugin ? `Plugin '${plugin}' has two` : `Plugins '${holder}' and '${plugin}' both have a`
  const what = `${kind}${holder === plugin ? 's' : ''} called '${name}'`
  const message = `${who} ${what}. Rename one of them, or leave one plugin out.`
  return new NacreError('PLUGIN_SETUP_FAILED', message, { plugin, holder })
}
