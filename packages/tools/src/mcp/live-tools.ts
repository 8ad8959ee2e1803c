import {
  estimateText,
  type Handler,
  type Json,
  type SessionStore,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolResult,
  type View,
} from '@nacre/core'
import { z } from 'zod'
import { stateEntry } from '../conversation.js'
import { defineTool, errorResult, type ShownTool } from '../define-tool.js'
import type { ServerConnection } from './server-connection.js'
import { resourceTools, serverTool } from './server-tools.js'
import { rankTools } from './tool-names.js'

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

interface LiveToolsOptions {
  readonly connections: readonly ServerConnection[]
  readonly callTimeout: number
  /** Tokens that the tools may take before they are deferred. */
  readonly budget: number
  /** Whether the model takes references to tools; otherwise they are described in words. */
  readonly takesReferences: boolean
  view(): View | undefined
}

export function liveTools({ connections, callTimeout, budget, takesReferences, view }: LiveToolsOptions): LiveTools {
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
  const search = toolSearch(tools, takesReferences)
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

export const TOOL_SEARCH = 'ToolSearch'

const SEARCH_DESCRIPTION = [
  'Finds tools of MCP servers. They are not at hand until they were found here.',
  'Queries: words, for the tools whose name or description fits best; +word for a word that has to be there;',
  'select:name1,name2 for tools whose names are known.',
].join(' ')

/** Loads deferred tools: the result refers to them, and from then on they can be called. */
function toolSearch(tools: () => readonly Tool[], takesReferences: boolean): ShownTool {
  const how = takesReferences
    ? 'Tools that are found can be called by their names from then on.'
    : `Tools that are found are called through ${CALL_TOOL}.`
  const tool = defineTool({
    name: TOOL_SEARCH,
    description: `${SEARCH_DESCRIPTION} ${how}`,
    input: z.object({
      query: z.string().min(1).max(500),
      max_results: z.number().int().min(1).max(50).default(5),
    }),
    // One after the other: what was found before is kept with what is found now.
    traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
    title: ({ query }) => `Look for tools: ${query}`,
    async run({ query, max_results }, context) {
      const matches = rankTools(tools(), query, max_results)
      if (matches.length === 0)
        return `None of ${tools().length} tools fits '${query}'. Try fewer or more general words.`
      await keepFound(matches, context)
      return takesReferences ? references(matches) : matches.map(described).join('\n\n')
    },
    show: (_input, { content }) => content.map(({ tool_name, text }) => String(tool_name ?? text)).join('\n'),
  })
  return tool as ShownTool
}

async function keepFound(matches: readonly Tool[], { view, store }: ToolContext): Promise<void> {
  const before = readState(view, 'found') ?? []
  const more = matches.map(({ name }) => name).filter((name) => !before.includes(name))
  if (more.length > 0) await writeState(store, 'found', [...before, ...more])
}

function references(matches: readonly Tool[]): ToolResult {
  return { content: matches.map(({ name }) => ({ type: 'tool_reference', tool_name: name })) }
}

function described({ name, description, schema }: Tool): string {
  return `${name}: ${description}\nInput: ${JSON.stringify(schema.json)}`
}

const CALL_TOOL = 'CallMcpTool'

const callInput = z.object({
  name: z.string().describe('The name of a tool, as ToolSearch gave it.'),
  input: z.record(z.string(), z.unknown()).default({}),
})

type Find = (name: string) => Tool | undefined

/** Calls tools that the request does not name, for models that take none in the middle of a conversation. */
function callTool(find: Find): ShownTool {
  const tool = defineTool({
    name: CALL_TOOL,
    description:
      'Calls a tool of an MCP server that ToolSearch has found. The input has to fit the schema given there.',
    input: callInput,
    traits: { isCompactable: false },
    title: ({ name }) => `Call ${name}`,
    check: ({ name, input }, context) => find(name)?.check?.(input, context),
    run({ name, input }, context) {
      const target = find(name)
      return target?.run(input, context) ?? errorResult(`There is no tool '${name}', or it is not available now.`)
    },
  })
  return tool as ShownTool
}

/** Lets the gates judge the call that will really be made: a rule about a tool holds also when it is called this way. */
export function judgeCallTool(find: Find): Handler<'PreToolUse'> {
  return ({ call }, { hooks }) => {
    const target = call.name === CALL_TOOL ? targetOf(call, find) : undefined
    return target && hooks.decide('PreToolUse', target)
  }
}

function targetOf(call: ToolCall, find: Find): { readonly call: ToolCall; readonly tool: Tool } | undefined {
  const { data } = callInput.safeParse(call.input)
  const tool = data && find(data.name)
  return tool && { call: { id: call.id, name: data.name, input: data.input as ToolCall['input'] }, tool }
}

/** The plugin's name, and the owner of its state. */
export const OWNER = 'mcp'

/** What a server has to say to the model, as far as the model was told of it. Small enough to be state. */
export interface Announcement {
  /** Stands for the instructions; empty where there are none. */
  readonly instructions: string
  /** The names of its tools for the model, in order. */
  readonly tools: readonly string[]
}

/** What the servers have to say, by their names. */
export type Announcements = Readonly<Record<string, Announcement>>

interface StateValues {
  /** What the model was told of the servers, and whether it was told to search for tools. */
  readonly told: { readonly words: Announcements; readonly isDeferring: boolean }
  /** Deferred tools that were found, by name. */
  readonly found: readonly string[]
}

/** State is read from the view: a rewind takes it back, a resume brings it back. */
export function readState<Key extends keyof StateValues>(
  view: View | undefined,
  key: Key,
): StateValues[Key] | undefined {
  return view?.state(OWNER, key) as StateValues[Key] | undefined
}

export async function writeState<Key extends keyof StateValues>(
  store: SessionStore | undefined,
  key: Key,
  value: StateValues[Key],
): Promise<void> {
  await store?.append([stateEntry(OWNER, key, value as Json)])
}
