import { setTimeout } from 'node:timers/promises'
import type { Prompt } from '@modelcontextprotocol/sdk/types.js'
import {
  type Command,
  type Contribution,
  definePlugin,
  type NoticeEntry,
  type Plugin,
  type SessionStore,
  type SetupContext,
  type View,
} from '@nacre/core'
import { endLeftBehind } from '@nacre/core/node'
import { announceServers, instructionRestorer } from './announce-servers.js'
import {
  approvalOf,
  expandVariables,
  type FoundServer,
  gatherServers,
  isLocal,
  type McpOptions,
} from './gather-servers.js'
import { judgeCallTool, liveTools, OWNER } from './live-tools.js'
import { SERVER_FOLDERS } from './process-transport.js'
import { type ConnectionOptions, type ServerConnection, serverConnection } from './server-connection.js'
import { toolName } from './tool-names.js'

const DEFER_ABOVE = 0.1
const START_TIMEOUT = 30_000
const CALL_TIMEOUT = 120_000

/** Tools, instructions, resources and prompts of MCP servers. A server that fails does not keep a session from starting. */
export function mcp(options: McpOptions = {}): Plugin {
  return definePlugin({ name: OWNER, setup: (context) => setUp(options, context) })
}

async function setUp(options: McpOptions, context: SetupContext): Promise<Contribution> {
  const { servers, unapproved } = await gatherServers(options, context.cwd)
  const notices = createNotices(context.store, context.now)
  for (const server of unapproved) notices.tell('warning', formatUnapproved(server))
  let view: (() => View) | undefined
  let renew = (): void => undefined
  const listener = { changed: () => renew(), report: notices.tell }
  const connections = servers.map((found) => connectionOf(found, options, context.cwd, listener))
  const tools = liveTools({
    connections,
    callTimeout: options.callTimeout ?? CALL_TIMEOUT,
    budget: (options.deferAbove ?? DEFER_ABOVE) * context.model.window,
    takesReferences: context.model.can.has('deferred-tools'),
    view: () => view?.(),
  })
  let commands = [mcpCommand(connections, unapproved)]
  renew = () => {
    tools.renew()
    commands = [mcpCommand(connections, unapproved), ...connections.flatMap(promptCommands)]
  }
  await endLeftBehind(SERVER_FOLDERS)
  const isAnyCaged = servers.some(({ server }) => isLocal(server) && server.sandbox !== undefined)
  const leaveSandbox = isAnyCaged ? options.sandbox?.use() : undefined
  await Promise.all(connections.map(({ start }) => start()))
  const announcer = announceServers(connections, tools)
  return {
    get tools() {
      return tools.given()
    },
    get commands() {
      return commands
    },
    prompt: [{ name: OWNER, scope: 'session', text: announcer.section }],
    restorers: [instructionRestorer(connections)],
    hooks: {
      async SessionStart({ source }, { view: current, store }) {
        view = current
        await notices.begin()
        if (source === 'startup') await announcer.wasRead(store)
      },
      PreToolUse: judgeCallTool(tools.find),
      ...announcer.hooks,
    },
    dispose: async () => {
      await Promise.all(connections.map(({ close }) => close()))
      await leaveSandbox?.()
    },
  }
}

function connectionOf(
  { name, server, where }: FoundServer,
  options: McpOptions,
  cwd: string,
  listener: Pick<ConnectionOptions, 'changed' | 'report'>,
): ServerConnection {
  const environment = options.environment ?? process.env
  return serverConnection({
    name,
    isTrusted: server.trusted === true,
    server: () => expandVariables(server, environment, `MCP server '${name}' in ${where}`),
    cwd,
    sandbox: options.sandbox,
    startTimeout: options.startTimeout ?? START_TIMEOUT,
    wait: options.wait ?? ((milliseconds, signal) => setTimeout(milliseconds, undefined, { signal })),
    ...listener,
  })
}

/** Shows servers, how they are and what they have; `reconnect <server>` connects one anew. */
function mcpCommand(connections: readonly ServerConnection[], unapproved: readonly FoundServer[]): Command {
  return {
    name: OWNER,
    help: 'MCP servers with their tools; reconnect <server> connects one anew.',
    async run(args) {
      const [verb = '', name = ''] = args.trim().split(/\s+/)
      if (verb === '')
        return [...connections.map(shownServer), ...unapproved.map(formatUnapproved)].join('\n') || 'No MCP servers.'
      const connection = connections.find((each) => each.name === name)
      if (verb !== 'reconnect' || !connection) {
        return `Say 'reconnect' and one of: ${connections.map((each) => each.name).join(', ') || 'none'}.`
      }
      await connection.start()
      return shownServer(connection)
    },
  }
}

function shownServer(connection: ServerConnection): string {
  const state = connection.state()
  const { tools, prompts } = connection.listing()
  const why = state.status === 'failed' ? `: ${state.reason}` : ''
  const names = tools.map((tool) => `  ${toolName(connection.name, tool.name)}`)
  const counts = `${tools.length} tools, ${prompts.length} prompts${connection.isTrusted ? ', trusted' : ''}`
  return [`${connection.name}: ${state.status}${why} (${counts})`, ...names].join('\n')
}

/** Says what keeps a server of the project from starting, and how it is approved. */
function formatUnapproved(server: FoundServer): string {
  const how = `add "${approvalOf(server)}" to approvedMcpServers in your settings`
  return `MCP server '${server.name}' of ${server.where} was not started: nobody has approved it. To approve it as it is now, ${how}.`
}

/** The prompts of a server as commands. What a prompt says goes to the model with what the person says next. */
function promptCommands(connection: ServerConnection): readonly Command[] {
  return connection.listing().prompts.map((prompt) => ({
    name: toolName(connection.name, prompt.name),
    help: [prompt.description ?? prompt.name, ...(prompt.arguments ?? []).map(({ name }) => `<${name}>`)].join(' '),
    async run(args, { note, signal }) {
      const given = argumentsOf(prompt, args)
      const ask = { name: prompt.name, arguments: given }
      const answered = await connection.ask((client, own) => client.getPrompt(ask, { signal: own }), signal)
      if ('lost' in answered) return `MCP server '${connection.name}' can not be reached: ${answered.lost.reason}.`
      const text = answered.answer.messages
        .flatMap(({ content }) => (content.type === 'text' ? [content.text] : []))
        .join('\n')
      note({ text, trust: 'content', tag: 'mcp-prompt' })
      return text
    },
  }))
}

/** Words in the order of the prompt's arguments, in quotes where they have spaces; the last one takes the rest. */
function argumentsOf({ arguments: wanted = [] }: Prompt, args: string): Record<string, string> {
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const entries = wanted.map(({ name }, index) => {
    const isLast = index === wanted.length - 1
    return [name, isLast ? words.slice(index).join(' ') : (words[index] ?? '')]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as Record<string, string>
}

interface Notices {
  /** For people. Kept until the session has begun. */
  tell(level: NoticeEntry['level'], text: string): void
  begin(): Promise<void>
}

/** What happens to servers, for people: a notice in the log is told to whoever listens. */
function createNotices(store: SessionStore, now: () => number): Notices {
  let waiting: NoticeEntry[] = []
  let hasBegun = false
  const flush = async () => {
    if (!hasBegun || waiting.length === 0) return
    const entries = waiting
    waiting = []
    await store.append(entries)
  }
  return {
    tell(level, text) {
      waiting.push({ kind: 'notice', id: '', time: now(), owner: OWNER, level, text })
      // A session that is closing takes none any more.
      flush().catch(() => undefined)
    },
    async begin() {
      hasBegun = true
      await flush()
    },
  }
}
