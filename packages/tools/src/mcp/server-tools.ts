import type { CallToolResult, ContentBlock, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js'
import type { Block, Json, ToolContext, ToolResult } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool, textOf } from '../define-tool.js'
import { wellFormed } from '../text.js'
import type { ServerConnection } from './server-connection.js'
import { toolName } from './tool-names.js'

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
  return wellFormed(text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)} …` : text)
}

/** How much longer than without a sign a call may take with one: 20 minutes, unless told otherwise. */
const WITH_PROGRESS = 10

/** The JSON-RPC code by which the library tells that time is up. */
const TIME_IS_UP = -32001

/** Runs a tool of a server. Whatever goes wrong is a result that says whether the call may have run. */
async function callServer(
  connection: ServerConnection,
  call: { readonly tool: string; readonly input: Json; readonly timeout: number },
  { signal, progress }: ToolContext,
): Promise<ToolResult> {
  const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const { tool, timeout } = call
  const where = `MCP server '${connection.name}'`
  const params = { name: tool, arguments: call.input as Record<string, unknown> }
  const limits = {
    timeout,
    maxTotalTimeout: timeout * WITH_PROGRESS,
    resetTimeoutOnProgress: true,
    onprogress: (step: Progress) => progress(formatProgress(step)),
  }
  try {
    const answered = await connection.ask(
      (client, own) =>
        client.request({ method: 'tools/call', params }, CallToolResultSchema, { ...limits, signal: own }),
      signal,
    )
    if ('answer' in answered) return resultBlocks(answered.answer)
    const { reason, mayHaveRun } = answered.lost
    return errorResult(
      mayHaveRun
        ? `${where} was lost while '${tool}' ran: ${reason}. The call may or may not have run: look before you repeat it. The server is connected again.`
        : `${where} can not be reached: ${reason}. The call did not run.`,
    )
  } catch (error) {
    signal.throwIfAborted()
    const { code, message, data } = error as CallError
    const most = timeout * WITH_PROGRESS
    if (code === TIME_IS_UP && data?.maxTotalTimeout === most) {
      return errorResult(
        `'${tool}' of ${where} told its progress for ${most / 1_000} s and came to no end: it was cancelled. It may or may not have run: look before you repeat it.`,
      )
    }
    // A server may answer with the same code; only the library tells how long it waited.
    if (code !== TIME_IS_UP || data?.timeout !== timeout)
      return errorResult(`${where} refused the call of '${tool}': ${message}`)
    return errorResult(
      `'${tool}' of ${where} gave no sign for ${timeout / 1_000} s and was cancelled. It may or may not have run: look before you repeat it.`,
    )
  }
}

interface CallError {
  readonly code?: number
  readonly message: string
  readonly data?: { readonly timeout?: unknown; readonly maxTotalTimeout?: unknown }
}

interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

function formatProgress({ progress, total, message }: Progress): string {
  const share = total === undefined ? String(progress) : `${progress}/${total}`
  return message ? `${share} ${message}` : share
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource']

/** How images begin, as base64. The API refuses what is something else than it says, and all that comes after it. */
const SHOWN_IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lGOD'],
  ['image/webp', 'UklGR'],
])
/** Characters of base64 that the API takes as one image. */
const LARGEST_IMAGE = 5 * 1024 * 1024

/** What a server answered, as blocks that the API takes. What can't be shown is told of in words. */
function resultBlocks({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const blocks = content.flatMap(contentBlocks)
  const extra =
    structuredContent && !isSaid(structuredContent, content) ? [text(JSON.stringify(structuredContent))] : []
  return { content: [...blocks, ...extra], ...(isError && { isError: true as const }) }
}

function contentBlocks(content: ContentBlock): readonly Block[] {
  switch (content.type) {
    case 'text':
      return content.text === '' ? [] : [text(content.text)]
    case 'image':
      return [image(content.data, content.mimeType, 'An image')]
    case 'audio':
      return [text(`(Audio of type ${content.mimeType}, ${bytesOf(content.data)} bytes: it can not be shown.)`)]
    case 'resource_link': {
      const about = content.description ? `: ${content.description}` : ''
      return [text(`(Resource ${content.uri}, called ${content.name}${about}. ReadMcpResource reads it.)`)]
    }
    case 'resource':
      return resourceBlocks(content.resource)
  }
}

/** A resource with its address before it. */
function resourceBlocks(resource: Resource): readonly Block[] {
  if ('text' in resource) return [text(`Resource ${resource.uri}:\n${resource.text}`)]
  const { uri, mimeType = 'application/octet-stream', blob } = resource
  return [image(blob, mimeType, `The resource ${uri}`)]
}

function image(data: string, mimeType: string, what: string): Block {
  const start = SHOWN_IMAGES.get(mimeType)
  const isShown = start !== undefined && data.startsWith(start) && data.length <= LARGEST_IMAGE
  if (isShown) return { type: 'image', source: { type: 'base64', media_type: mimeType, data } }
  return text(`(${what} of type ${mimeType}, ${bytesOf(data)} bytes: it can not be shown.)`)
}

/** Servers should give what is structured as text too: then it is not said twice. */
function isSaid(structured: object, content: readonly ContentBlock[]): boolean {
  const said = JSON.stringify(structured)
  return content.some((each) => {
    if (each.type !== 'text') return false
    try {
      return JSON.stringify(JSON.parse(each.text)) === said
    } catch {
      return false
    }
  })
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}

function text(content: string): Block {
  return { type: 'text', text: wellFormed(content) }
}

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
