import type { RemoteServer } from './mcp-server.js'
import type { McpTransport } from './process-transport.js'

/**
 * Streamable HTTP. The library waits for an answer without end when the stream that should bring it is cut, so each
 * such stream is watched: when it is over and can't be taken up again, the connection is closed.
 */
export async function httpTransport(server: RemoteServer): Promise<McpTransport> {
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
