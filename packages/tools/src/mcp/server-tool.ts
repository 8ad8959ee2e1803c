import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { Json } from '@nacre/core'
import { type ShownTool, textOf } from '../define-tool.js'
import { callServer } from './call-server.js'
import type { ServerConnection } from './server-connection.js'
import { toolName } from './tool-name.js'

const LONGEST_DESCRIPTION = 2_048
const SHOWN = 500

/** A tool of a server, for sessions and for use without one. Its hints are believed only of a server that is trusted. */
export function serverTool(connection: ServerConnection, listed: ListedTool, timeout: number): ShownTool {
  const { name: tool, description = '', annotations } = listed
  const onlyReads = connection.isTrusted && annotations?.readOnlyHint === true
  const title = annotations?.title ?? listed.title ?? tool
  return {
    name: toolName(connection.name, tool),
    description: cut(description.trim()) || `${title} (MCP server '${connection.name}')`,
    schema: { json: schemaOf(listed), parse: objectIn },
    isCompactable: false,
    isReadOnly: () => onlyReads,
    isConcurrencySafe: () => onlyReads,
    check: () =>
      onlyReads
        ? undefined
        : { verdict: 'ask', reason: `'${tool}' of the MCP server '${connection.name}' wants to run.` },
    run: (input, context) => callServer(connection, { tool, input: input as Json, timeout }, context),
    title: () => `${connection.name}: ${title}`,
    show: (_input, result) => textOf(result).slice(0, SHOWN),
  }
}

/** The API takes no choice between schemas at the top; the server checks its input itself. */
function schemaOf({ inputSchema }: ListedTool): Json {
  const { $schema: _, anyOf: _any, oneOf: _one, allOf: _all, ...rest } = inputSchema as Record<string, Json>
  return { ...rest, type: 'object' }
}

function objectIn(input: unknown): unknown {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input
  throw new Error('The input has to be an object.')
}

function cut(text: string): string {
  const short = text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)} …` : text
  // The API takes no request with half of a pair in it.
  return short.replace(/\p{Surrogate}/gu, '\ufffd')
}
