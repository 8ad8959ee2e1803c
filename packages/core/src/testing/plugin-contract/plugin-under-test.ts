import type { Plugin } from '../../contract/plugin.js'

/** Gives the plugin that a contract is about. */
export interface PluginUnderTest {
  /** A new one for each test. */
  create(): Plugin
  /** Plugins that it requires, in order. */
  beside?(): readonly Plugin[]
}

/** One promise, in the words of a test. `check` rejects where it is broken. */
export interface PluginRule {
  readonly name: string
  check(plugin: PluginUnderTest): Promise<void>
}
