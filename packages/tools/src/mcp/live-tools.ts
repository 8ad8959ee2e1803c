import { estimateText, type Tool, type View } from '@nacre/core'
import type { ShownTool } from '../define-tool.js'
import { callTool } from './call-tool.js'
import { readState, writeState } from './mcp-state.js'
import { resourceTools } from './resource-tools.js'
import type { ServerConnection } from './server-connection.js'
import { serverTool } from './server-tool.js'
import { toolSearch } from './tool-search.js'

/** The tools of a session's servers, as they are now. */
export interface LiveTools {
  /** What the session is given. The same list as long as nothing has changed. */
  given(): readonly Tool[]
  /** A tool of a server, whether the session is given it or not. */
  find(name: string): ShownTool | undefined
  isDeferring(): boolean
  /** Has to be called when a server lists something else. */
  renew(): void
}

export interface LiveToolParts {
  readonly connections: readonly ServerConnection[]
  readonly callTimeout: number
  /** Tokens that the tools may take before they are deferred. */
  readonly budget: number
  readonly takesReferences: boolean
  view(): View | undefined
}

export function liveTools({ connections, callTimeout, budget, takesReferences, view }: LiveToolParts): LiveTools {
  let all: readonly ShownTool[] | undefined
  let size = 0
  let given: { readonly key: string; readonly tools: readonly Tool[] } | undefined

  const tools = (): readonly ShownTool[] => {
    if (all) return all
    all = connections
      .flatMap((connection) => connection.listing().tools.map((each) => serverTool(connection, each, callTimeout)))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    size = all.reduce((sum, tool) => sum + sizeOf(tool), 0)
    given = undefined
    return all
  }
  // A conversation that was told to search goes on to search, also when its servers have become smaller.
  const isDeferring = () => tools().length > 0 && (size > budget || readState(view(), 'told')?.isDeferring === true)
  const search = toolSearch({
    tools,
    takesReferences,
    async found(names, context) {
      const before = readState(context.view, 'found') ?? []
      const more = names.filter((name) => !before.includes(name))
      if (more.length > 0) await writeState(context.store, 'found', [...before, ...more])
    },
  })
  const find = (name: string) => tools().find((tool) => tool.name === name)
  const caller = callTool(find)
  const readers = resourceTools(connections)
  const deferredTools = (found: ReadonlySet<string>): readonly Tool[] => {
    if (!takesReferences) return [search, caller]
    return [search, ...tools().map((tool): Tool => (found.has(tool.name) ? tool : { ...tool, isDeferred: true }))]
  }
  return {
    find,
    isDeferring,
    renew() {
      all = undefined
    },
    given() {
      const found = readState(view(), 'found') ?? []
      const hasResources = connections.some((connection) => connection.listing().hasResources)
      const key = JSON.stringify([isDeferring(), hasResources, found])
      if (given?.key === key) return given.tools
      const own = isDeferring() ? deferredTools(new Set(found)) : tools()
      given = { key, tools: [...own, ...(hasResources ? readers : [])] }
      return given.tools
    },
  }
}

function sizeOf({ name, description, schema }: Tool): number {
  return estimateText(name) + estimateText(description) + estimateText(JSON.stringify(schema.json))
}
