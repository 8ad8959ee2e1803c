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
  let active: readonly unknown[] = []
  let parts: Parts | undefined
  // Flags and lists that may grow are asked at each use, but put together only when one of them is another.
  const current = (): Parts => {
    const on = plugins.filter(({ name }) => isOn(name))
    const now = on.flatMap((plugin) => [plugin, plugin.contribution.tools, plugin.contribution.commands])
    const isSame = now.length === active.length && now.every((part, index) => part === active[index])
    if (!parts || !isSame) parts = partsOf(on)
    active = now
    return parts
  }
  return {
    tools: () => current().tools,
    tool: (name) => current().byName.get(name),
    sections: () => current().sections,
    reliefs: () => current().reliefs,
    restorers: () => current().restorers,
    commands: () => current().commands,
  }
}

interface Parts {
  readonly tools: readonly OwnedTool[]
  readonly byName: ReadonlyMap<string, Tool>
  readonly sections: readonly OwnedSection[]
  readonly reliefs: readonly Owned<Relief>[]
  readonly restorers: readonly Owned<Restorer>[]
  readonly commands: readonly Owned<Command>[]
}

function partsOf(plugins: readonly LoadedPlugin[]): Parts {
  const owned = <T>(pick: (contribution: LoadedPlugin['contribution']) => readonly T[] | undefined) =>
    plugins.flatMap(({ name, contribution }) => (pick(contribution) ?? []).map((item) => ({ owner: name, item })))
  const tools = ownNames(owned((contribution) => contribution.tools)).map(({ owner, item }) => ({ owner, tool: item }))
  return {
    tools,
    byName: new Map(tools.map(({ tool }) => [tool.name, tool])),
    sections: plugins.flatMap(({ name, contribution, context }) =>
      (contribution.prompt ?? []).map((section) => ({ owner: name, section, context })),
    ),
    reliefs: owned((contribution) => contribution.reliefs),
    restorers: owned((contribution) => contribution.restorers),
    commands: ownNames(owned((contribution) => contribution.commands)),
  }
}

/** Names were claimed when the plugins were loaded: what has come since with a taken one is left out. */
function ownNames<T extends { readonly name: string }>(all: readonly Owned<T>[]): readonly Owned<T>[] {
  const names = new Set<string>()
  return all.filter(({ item: { name } }) => !names.has(name) && names.add(name))
}
