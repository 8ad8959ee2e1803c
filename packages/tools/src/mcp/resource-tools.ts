import type { ToolContext } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool } from '../define-tool.js'
import { resourceBlocks } from './result-blocks.js'
import type { ServerConnection } from './server-connection.js'

const MOST_LISTED = 200

/** Tools that list and read what servers offer as resources. */
export function resourceTools(connections: readonly ServerConnection[]): readonly ShownTool[] {
  const named = (server: string | undefined) =>
    connections.filter(({ name, listing }) => (server === undefined ? listing().hasResources : name === server))
  const onlyTrusted = ({ server }: { server?: string | undefined }) => named(server).every(({ isTrusted }) => isTrusted)
  const check = (input: { server?: string | undefined }) =>
    onlyTrusted(input)
      ? undefined
      : { verdict: 'ask' as const, reason: `${whom(input.server)} would be asked for resources.` }
  const list = defineTool({
    name: 'ListMcpResources',
    description: 'Lists the resources that MCP servers offer, by server and address.',
    input: z.object({ server: z.string().optional().describe('One server; all of them unless told.') }),
    traits: { isReadOnly: onlyTrusted, isCompactable: false },
    check,
    title: ({ server }) => `List resources of ${whom(server)}`,
    async run({ server }, context) {
      const asked = named(server)
      if (asked.length === 0) return errorResult(`${whom(server)} is not known. Known: ${namesOf(connections)}.`)
      const lists = await Promise.all(asked.map((connection) => listed(connection, context)))
      return lists.flat().join('\n') || 'No resources.'
    },
  })
  const read = defineTool({
    name: 'ReadMcpResource',
    description: 'Reads a resource of an MCP server by its address, as ListMcpResources or a tool has given it.',
    input: z.object({ server: z.string(), uri: z.string() }),
    traits: { isReadOnly: onlyTrusted, isCompactable: false },
    check,
    title: ({ server, uri }) => `Read ${uri} of ${server}`,
    async run({ server, uri }, { signal }) {
      const [connection] = named(server)
      if (!connection) return errorResult(`${whom(server)} is not known. Known: ${namesOf(connections)}.`)
      const answered = await connection.ask((client, own) => client.readResource({ uri }, { signal: own }), signal)
      if ('lost' in answered) return errorResult(`${whom(server)} can not be reached: ${answered.lost.reason}.`)
      return { content: answered.answer.contents.flatMap(resourceBlocks) }
    },
  })
  return [list as ShownTool, read as ShownTool]
}

async function listed(connection: ServerConnection, { signal }: ToolContext): Promise<readonly string[]> {
  const answered = await connection.ask((client, own) => client.listResources(undefined, { signal: own }), signal)
  if ('lost' in answered) return [`${connection.name}: can not be reached: ${answered.lost.reason}`]
  const { resources } = answered.answer
  const lines = resources.slice(0, MOST_LISTED).map(({ uri, name, mimeType, description }) => {
    const about = [name, mimeType, description].filter(Boolean).join(', ')
    return `${connection.name} ${uri} (${about})`
  })
  return resources.length > MOST_LISTED
    ? [...lines, `${connection.name}: and ${resources.length - MOST_LISTED} more`]
    : lines
}

function whom(server: string | undefined): string {
  return server === undefined ? 'MCP servers' : `MCP server '${server}'`
}

function namesOf(connections: readonly ServerConnection[]): string {
  return connections.map(({ name }) => name).join(', ') || 'none'
}
