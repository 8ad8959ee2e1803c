import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { makeServer, readSettings } from './make-server.mjs'

/** Sessions by id. A server that was started anew knows none of the ones before. */
const sessions = new Map()

async function open(settings) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: settings.answersJson ?? false,
    onsessioninitialized: (id) => sessions.set(id, transport),
  })
  await makeServer(settings, () => http.closeAllConnections()).connect(transport)
  return transport
}

/** As servers spoke before streamable HTTP: one stream of events, and posts to another address. */
async function answerAsOldServer(settings, request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (request.method === 'POST' && pathname === '/messages') {
    await sessions.get(searchParams.get('sessionId'))?.handlePostMessage(request, response)
  } else if (request.method === 'GET') {
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    await makeServer(settings, () => http.closeAllConnections()).connect(transport)
  } else response.writeHead(405).end()
}

const http = createServer(async (request, response) => {
  const settings = readSettings()
  if (settings.isOld) {
    await answerAsOldServer(settings, request, response)
    return
  }
  if (settings.token && request.headers.authorization !== `Bearer ${settings.token}`) {
    response.writeHead(401).end('who are you')
    return
  }
  const id = request.headers['mcp-session-id']
  const transport = id ? sessions.get(id) : await open(settings)
  if (transport) await transport.handleRequest(request, response)
  else response.writeHead(404).end('Session not found')
})

http.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(http.address().port))
