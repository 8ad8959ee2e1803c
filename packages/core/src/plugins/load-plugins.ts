import type { Source } from '../contract/fork.js'
import type { Contribution, Plugin, SetupContext } from '../contract/plugin.js'
import { isNacreError, NacreError } from '../nacre-error.js'
import { checkPlugins } from './check-plugins.js'
import { claimNames } from './claim-names.js'

export interface LoadOptions {
  readonly plugins: readonly Plugin[]
  /** Sessions of any source but `main` set up only plugins of scope `all`. */
  readonly source: Source
  readonly context: Omit<SetupContext, 'flag'>
  isOn(flag: string): boolean
  /** Hears of what fails while plugins are disposed. Must not throw. */
  report(error: NacreError): void
  /** Ends loading between two setups. */
  readonly signal?: AbortSignal
}

/** A plugin that is set up in a session. */
export interface LoadedPlugin {
  readonly name: string
  readonly scope: 'main' | 'all'
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
      if (!isOn(plugin.name) || (source !== 'main' && plugin.scope !== 'all')) continue
      if (signal?.aborted)
        throw new NacreError('ABORTED', 'Aborted while plugins were set up.', { cause: signal.reason })
      const ready = await setUp(plugin, options)
      loaded.push(ready)
      claimFor(plugin.name, () => claim(plugin.name, ready.contribution))
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

async function setUp(plugin: Plugin, { context: shared, isOn }: LoadOptions): Promise<LoadedPlugin> {
  const { name, scope = 'main' } = plugin
  const context: SetupContext = { ...shared, flag: (flag) => isOn(name) && isOn(`${name}.${flag}`) }
  const start = context.now()
  try {
    const contribution = await plugin.setup(context)
    return { name, scope, contribution, context, milliseconds: context.now() - start }
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
