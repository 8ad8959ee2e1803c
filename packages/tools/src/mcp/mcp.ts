import { setTimeout } from 'node:timers/promises'
import { type Contribution, definePlugin, type Plugin, type SetupContext, type View } from '@nacre/core'
import { judgeCallTool } from './call-tool.js'
import { expandVariables } from './expand-variables.js'
import type { FoundServer } from './found-server.js'
import { gatherServers } from './gather-servers.js'
import { instructionRestorer } from './instruction-restorer.js'
import { liveTools } from './live-tools.js'
import { mcpCommand, wordUnapproved } from './mcp-command.js'
import type { McpOptions } from './mcp-options.js'
import { type Notices, notices } from './notices.js'
import { promptCommands } from './prompt-commands.js'
import { type ServerConnection, serverConnection } from './server-connection.js'
import { wordsTold } from './words-told.js'

const DEFER_ABOVE = 0.1
const START_TIMEOUT = 30_000
const CALL_TIMEOUT = 120_000

/** Tools, instructions, resources and prompts of MCP servers. A server that fails does not keep a session from starting. */
export function mcp(options: McpOptions = {}): Plugin {
  return definePlugin({ name: 'mcp', setup: (context) => setUp(options, context) })
}

async function setUp(options: McpOptions, context: SetupContext): Promise<Contribution> {
  const { servers, unapproved } = await gatherServers(options, context.cwd)
  const told = notices(context.store, context.now)
  for (const server of unapproved) told.tell('warning', wordUnapproved(server))
  let view: (() => View) | undefined
  let renew = (): void => undefined
  const connections = servers.map((found) => connectionOf(found, { options, context, told, changed: () => renew() }))
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
  await Promise.all(connections.map(({ start }) => start()))
  const words = wordsTold({ connections, tools, store: context.store })
  return {
    get tools() {
      return tools.given()
    },
    get commands() {
      return commands
    },
    prompt: [{ name: 'mcp', scope: 'session', text: words.write }],
    restorers: [instructionRestorer(connections)],
    hooks: {
      async SessionStart({ source }, { view: current }) {
        view = current
        await told.begin()
        if (source === 'startup') await words.wereRead()
      },
      PreToolUse: judgeCallTool(tools.find),
      ...words.hooks,
    },
    dispose: async () => {
      await Promise.all(connections.map(({ close }) => close()))
    },
  }
}

interface ConnectionNeeds {
  readonly options: McpOptions
  readonly context: SetupContext
  readonly told: Notices
  changed(): void
}

function connectionOf(found: FoundServer, { options, context, told, changed }: ConnectionNeeds): ServerConnection {
  const { name, server, where } = found
  const environment = options.environment ?? process.env
  return serverConnection({
    name,
    isTrusted: server.trusted === true,
    server: () => expandVariables(server, environment, `MCP server '${name}' in ${where}`),
    cwd: context.cwd,
    startTimeout: options.startTimeout ?? START_TIMEOUT,
    wait: options.wait ?? ((milliseconds, signal) => setTimeout(milliseconds, undefined, { signal })),
    changed,
    report: told.tell,
  })
}
