import type { OwnedSection, OwnedTool } from '../prompt/epoch.js'
import type { Command } from '../types/plugin.js'
import type { Relief, Restorer } from '../types/relief.js'
import type { Tool } from '../types/tool.js'
import type { LoadedPlugin } from './load-plugins.js'

/** Something that a plugin has brought. */
export interface Owned<T> {
  readonly owner: string
  readonly item: T
}

/** What the plugins that are switched on have brought; asked at each use. */
export interface Contributions {
  tools(): readonly OwnedTool[]
  tool(name: string): Tool | undefined
  /** The plugin that a tool comes from. */
  ownerOf(tool: string): string | undefined
  sections(): readonly OwnedSection[]
  reliefs(): readonly Owned<Relief>[]
  restorers(): readonly Owned<Restorer>[]
  commands(): readonly Owned<Command>[]
}

export function createContributions(
  plugins: readonly LoadedPlugin[],
  isOn: (plugin: string) => boolean,
): Contributions {
  let active: readonly unknown[] = []
  let parts: Parts | undefined
  // Flags and lists that may grow are asked at each use, but put together only when one of them is another.
  const current = (): Parts => {
    const on = plugins.filter(({ owner }) => isOn(owner))
    const now = on.flatMap((plugin) => [plugin, plugin.contribution.tools, plugin.contribution.commands])
    const isSame = now.length === active.length && now.every((part, index) => part === active[index])
    if (!parts || !isSame) parts = partsOf(on)
    active = now
    return parts
  }
  return {
    tools: () => current().tools,
    tool: (name) => current().byName.get(name)?.tool,
    ownerOf: (name) => current().byName.get(name)?.owner,
    sections: () => current().sections,
    reliefs: () => current().reliefs,
    restorers: () => current().restorers,
    commands: () => current().commands,
  }
}

interface Parts {
  readonly tools: readonly OwnedTool[]
  readonly byName: ReadonlyMap<string, OwnedTool>
  readonly sections: readonly OwnedSection[]
  readonly reliefs: readonly Owned<Relief>[]
  readonly restorers: readonly Owned<Restorer>[]
  readonly commands: readonly Owned<Command>[]
}

function partsOf(plugins: readonly LoadedPlugin[]): Parts {
  const owned = <T>(pick: (contribution: LoadedPlugin['contribution']) => readonly T[] | undefined) =>
    plugins.flatMap(({ owner, contribution }) => (pick(contribution) ?? []).map((item) => ({ owner, item })))
  const tools = ownNames(owned((contribution) => contribution.tools)).map(({ owner, item }) => ({ owner, tool: item }))
  return {
    tools,
    byName: new Map(tools.map((owned) => [owned.tool.name, owned])),
    sections: plugins.flatMap(({ owner, contribution, context }) =>
      (contribution.prompt ?? []).map((section) => ({ owner, section, context })),
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
