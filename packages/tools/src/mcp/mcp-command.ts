import type { Command } from '@nacre/core'
import type { FoundServer } from './found-server.js'
import { approvalOf } from './gather-servers.js'
import type { ServerConnection } from './server-connection.js'
import { toolName } from './tool-name.js'

/** Shows servers, how they are and what they have; `reconnect <server>` connects one anew. */
export function mcpCommand(connections: readonly ServerConnection[], unapproved: readonly FoundServer[]): Command {
  return {
    name: 'mcp',
    help: 'MCP servers with their tools; reconnect <server> connects one anew.',
    async run(args) {
      const [verb = '', name = ''] = args.trim().split(/\s+/)
      if (verb === '')
        return [...connections.map(shown), ...unapproved.map(wordUnapproved)].join('\n') || 'No MCP servers.'
      const connection = connections.find((each) => each.name === name)
      if (verb !== 'reconnect' || !connection) {
        return `Say 'reconnect' and one of: ${connections.map((each) => each.name).join(', ') || 'none'}.`
      }
      await connection.start()
      return shown(connection)
    },
  }
}

function shown(connection: ServerConnection): string {
  const state = connection.state()
  const { tools, prompts } = connection.listing()
  const why = state.status === 'failed' ? `: ${state.reason}` : ''
  const names = tools.map((tool) => `  ${toolName(connection.name, tool.name)}`)
  const counts = `${tools.length} tools, ${prompts.length} prompts${connection.isTrusted ? ', trusted' : ''}`
  return [`${connection.name}: ${state.status}${why} (${counts})`, ...names].join('\n')
}

/** Says what keeps a server of the project from starting, and how it is approved. */
export function wordUnapproved(server: FoundServer): string {
  const how = `add "${approvalOf(server)}" to approvedMcpServers in your settings`
  return `MCP server '${server.name}' of ${server.where} was not started: nobody has approved it. To approve it as it is now, ${how}.`
}
