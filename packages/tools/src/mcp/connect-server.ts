import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Prompt, Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { isLocal, type McpServer, type RemoteServer } from './gather-servers.js'
import { type McpTransport, type ProcessOptions, processTransport } from './process-transport.js'

/** What a server says of itself. */
export interface Listing {
  readonly tools: readonly Tool[]
  readonly prompts: readonly Prompt[]
  readonly instructions?: string
  readonly hasResources: boolean
}

export interface Connected {
  readonly client: Client
  readonly listing: Listing
  /** Why it ended, if it has and that is known. */
  ending(): string | undefined
  close(): Promise<void>
}

interface ConnectOptions extends ProcessOptions {
  readonly timeout: number
  readonly signal: AbortSignal
  /** Hears of a list that has changed, with all that the server lists now. */
  changed(listing: Listing): void
  /** Hears once when the connection is over, whoever has ended it. */
  closed(): void
}

const MOST_PAGES = 100

/** Starts or reaches a server and learns what it has. When that fails nothing of it is left behind. */
export async function connectServer(server: McpServer, options: ConnectOptions): Promise<Connected> {
  if (isLocal(server)) return attempt(await processTransport(server, options), options)
  if (server.type === 'sse') return attempt(await sseTransport(server), options)
  try {
    return await attempt(await httpTransport(server), options)
  } catch (error) {
    if (!isOldServer(error)) throw error
    return attempt(await sseTransport(server), options)
  }
}

/** Servers from before streamable HTTP answer its first request with one of these. */
function isOldServer(error: unknown): boolean {
  return [400, 404, 405].includes((error as { readonly code?: number }).code ?? 0)
}

/** The library connects again by itself, to a session that knows nothing of the calls before: so an error is the end. */
async function sseTransport({ url, headers }: RemoteServer): Promise<McpTransport> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
  const transport = new SSEClientTransport(new URL(url), headers && { requestInit: { headers: { ...headers } } })
  let ending: string | undefined
  transport.onerror = ({ message }) => {
    ending ??= message
    void transport.close()
  }
  return Object.assign(transport, { ending: () => ending })
}

async function attempt(transport: McpTransport, options: ConnectOptions): Promise<Connected> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client({ name: 'nacre', version: '0.0.0' })
  const close = async () => {
    await client.close()
    await transport.close()
  }
  try {
    await client.connect(transport, { timeout: options.timeout, signal: options.signal })
    client.onclose = options.closed
    await watchLists(client, options)
    return { client, listing: await list(client, options), ending: () => transport.ending?.(), close }
  } catch (error) {
    client.onclose = undefined as never
    await close().catch(() => undefined)
    const reason = transport.ending?.()
    throw reason === undefined ? error : new Error(reason, { cause: error })
  }
}

type Limits = { readonly timeout: number; readonly signal?: AbortSignal }

async function list(client: Client, { timeout, signal }: Limits): Promise<Listing> {
  // The library never takes its listeners off a signal: each request has one of its own.
  const limits = () => ({ timeout, ...(signal && { signal: AbortSignal.any([signal]) }) })
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {}
  const instructions = client.getInstructions()
  const { ToolSchema } = await import('@modelcontextprotocol/sdk/types.js')
  return {
    tools: tools
      ? await allPages(
          async (params) => client.request({ method: 'tools/list', params }, toolPage, limits()),
          ({ tools }) => tools.flatMap((tool) => usable(tool, ToolSchema)),
        )
      : [],
    prompts: prompts
      ? await allPages(
          async (page) => client.listPrompts(page, limits()),
          ({ prompts }) => prompts,
        )
      : [],
    hasResources: resources !== undefined,
    ...(instructions && { instructions }),
  }
}

/** One tool that is described badly must not take the others away, so the library's own list is not used. */
const toolPage = z.object({ tools: z.array(z.record(z.string(), z.unknown())), nextCursor: z.string().optional() })

function usable(
  { outputSchema: _, ...tool }: Record<string, unknown>,
  schema: typeof import('@modelcontextprotocol/sdk/types.js').ToolSchema,
): readonly Tool[] {
  const inputSchema = { ...(tool.inputSchema as object | undefined), type: 'object' }
  const { data } = schema.safeParse({ ...tool, inputSchema })
  return data ? [data] : []
}

async function allPages<Page extends { nextCursor?: string | undefined }, Item>(
  ask: (page: { cursor: string } | undefined) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): Promise<readonly Item[]> {
  const all: Item[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(cursor === undefined ? undefined : { cursor })
    for (const item of items(answer)) all.push(item)
    if (!answer.nextCursor || answer.nextCursor === cursor) break
    cursor = answer.nextCursor
  }
  return all
}

async function watchLists(client: Client, { changed, timeout }: ConnectOptions): Promise<void> {
  const types = await import('@modelcontextprotocol/sdk/types.js')
  const listAgain = async () => {
    // A server that fails to list is found out by the next call.
    const listing = await list(client, { timeout }).catch(() => undefined)
    if (listing) changed(listing)
  }
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, listAgain)
  client.setNotificationHandler(types.PromptListChangedNotificationSchema, listAgain)
}

/**
 * Streamable HTTP. The library waits for an answer without end when the stream that should bring it is cut, so each
 * such stream is watched: when it is over and can't be taken up again, the connection is closed.
 */
async function httpTransport(server: RemoteServer): Promise<McpTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  const waiting = new Set<string>()
  let ending: string | undefined
  const lose = (reason: string) => {
    ending ??= reason
    void transport.close()
  }
  const watchedFetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const id = init?.method === 'POST' ? requestId(init.body) : undefined
    if (id === undefined) return fetch(url, init)
    waiting.add(id)
    const response = await fetch(url, init)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!response.body || !isStream) return response
    const over = (isResumable: boolean) => {
      // What has arrived is read first: it may hold the answer.
      setTimeout(() => !isResumable && waiting.has(id) && lose('the connection was cut'))
    }
    return new Response(watched(response.body, over), response)
  }
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: watchedFetch,
    ...(server.headers && { requestInit: { headers: { ...server.headers } } }),
  })
  const own: McpTransport = {
    start: async () => {
      transport.onmessage = (message) => {
        if ('id' in message && ('result' in message || 'error' in message)) waiting.delete(String(message.id))
        own.onmessage?.(message)
      }
      transport.onclose = () => own.onclose?.()
      transport.onerror = (error) => {
        own.onerror?.(error)
        if (error.message.startsWith('Maximum reconnection attempts') && waiting.size > 0)
          lose('the connection was cut')
      }
      await transport.start()
    },
    send: (message) => transport.send(message),
    close: () => transport.close(),
    setProtocolVersion: (version) => transport.setProtocolVersion(version),
    get sessionId() {
      return transport.sessionId
    },
    ending: () => ending,
  }
  return own
}

function requestId(body: unknown): string | undefined {
  const { id, method } = JSON.parse(String(body)) as { readonly id?: unknown; readonly method?: unknown }
  return id === undefined || method === undefined ? undefined : String(id)
}

/** The same bytes; `over` hears when there are no more, and whether the server has numbered its events to go on later. */
function watched(body: ReadableStream<Uint8Array>, over: (isResumable: boolean) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let isResumable = false
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
          over(isResumable)
          return
        }
        isResumable ||= /^id:/m.test(decoder.decode(value, { stream: true }))
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        over(isResumable)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
