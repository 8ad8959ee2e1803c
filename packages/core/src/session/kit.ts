import type { Command, Plugin } from '../contract/plugin.js'
import type { Relief, Restorer } from '../contract/relief.js'
import type { Tool } from '../contract/tool.js'
import type { LoadedPlugin } from '../plugins/load-plugins.js'
import type { OwnedSection, OwnedTool } from '../prompt/compose-epoch.js'
import type { Owned } from '../relief/relief-parts.js'
import type { SessionOptions } from './session-options.js'

/** The name under which a session's own prompt and tools stand beside those of its plugins. */
export const OWN = 'session'

/** What a program gives to its session directly is a plugin like any other. */
export function ownPlugin({ system, tools = [] }: Pick<SessionOptions, 'system' | 'tools'>): Plugin {
  const sections =
    typeof system === 'string' ? [{ name: 'system', scope: 'static' as const, text: () => system }] : (system ?? [])
  return { name: OWN, scope: 'all', setup: () => ({ tools, prompt: sections }) }
}

/** What the plugins that are switched on have brought; asked at each use. */
export interface Kit {
  tools(): readonly OwnedTool[]
  tool(name: string): Tool | undefined
  sections(): readonly OwnedSection[]
  reliefs(): readonly Owned<Relief>[]
  restorers(): readonly Owned<Restorer>[]
  commands(): readonly Owned<Command>[]
}

export function createKit(plugins: readonly LoadedPlugin[], isOn: (plugin: string) => boolean): Kit {
  const active = () => plugins.filter(({ name }) => isOn(name))
  const owned = <T>(pick: (plugin: LoadedPlugin) => readonly T[] | undefined) =>
    active().flatMap((plugin) => (pick(plugin) ?? []).map((item) => ({ owner: plugin.name, item })))
  const tools = () => owned(({ contribution }) => contribution.tools).map(({ owner, item }) => ({ owner, tool: item }))
  return {
    tools,
    tool: (name) => tools().find(({ tool }) => tool.name === name)?.tool,
    sections: () =>
      active().flatMap(({ name, contribution, context }) =>
        (contribution.prompt ?? []).map((section) => ({ owner: name, section, context })),
      ),
    reliefs: () => owned(({ contribution }) => contribution.reliefs),
    restorers: () => owned(({ contribution }) => contribution.restorers),
    commands: () => owned(({ contribution }) => contribution.commands),
  }
}
