import { isNacreError, NacreError } from '../errors.js'
import type { Source } from '../types/fork.js'
import type { Rung } from '../types/log.js'
import type { Contribution, Plugin, Scope, SetupContext } from '../types/plugin.js'
import type { SessionStore } from '../types/store.js'

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
  const { plugins, source, isOn, report, signal } = options
  checkPlugins(plugins, isOn)
  const claim = claimNames()
  const loaded: LoadedPlugin[] = []
  let disposed: Promise<void> | undefined
  const dispose = () => {
    disposed ??= disposeInReverse(loaded, report)
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
        checkContribution(ready.contribution)
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
  { context: shared, storeFor, sessionFor, isOn }: LoadOptions,
): Promise<LoadedPlugin> {
  const { name, scope = 'main' } = plugin
  const owner = ownerOf(plugin)
  const flag = (part: string) => isOn(owner) && isOn(`${owner}.${part}`)
  const context: SetupContext = { ...shared, store: storeFor(owner), session: sessionFor(owner), flag }
  const start = context.now()
  try {
    const contribution = await plugin.setup(context)
    return { name, owner, scope, contribution, context, milliseconds: context.now() - start }
  } catch (error) {
    throw pluginError(name, 'could not be set up', error)
  }
}

async function disposeInReverse(loaded: readonly LoadedPlugin[], report: LoadOptions['report']): Promise<void> {
  for (const plugin of loaded.toReversed()) {
    try {
      await plugin.contribution.dispose?.()
    } catch (error) {
      report(pluginError(plugin.name, 'could not be disposed', error))
    }
  }
}

function pluginError(plugin: string, what: string, cause: unknown): NacreError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new NacreError('PLUGIN_SETUP_FAILED', `Plugin '${plugin}' ${what}: ${why}`, { plugin, cause })
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
function checkContribution(contribution: Contribution): void {
  if (typeof contribution !== 'object' || contribution === null) throw new Error('setup has to give an object')
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
  for (const [name, hook] of Object.entries(hooks)) {
    mustHave(
      'hook',
      { name },
      'handler',
      typeof (hook as { handler?: unknown })?.handler === 'function' || typeof hook === 'function',
    )
  }
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
