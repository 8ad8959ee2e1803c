import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it arrived, and what came of it. */
export interface Tapped {
  readonly path: string
  /** The value of the header `x-nacre-source`, or `main`. */
  readonly source: string
  readonly body: string
  /** The answer's; 0 until there is one, and where the connection was dropped. */
  status: number
  /** The answer's body, where it is an error. */
  error: string
}

/** A socket in front of a server, which hears of each request before the server does. */
export interface Tap {
  readonly url: string
  /** Resolves when no request is on its way any more. */
  quiet(): Promise<void>
  close(): Promise<void>
}

/** Observers of a simulator hear of a request when it is answered; to stop or to spoil one, the kit has to be earlier. */
export async function openTap(target: number, arrived: (request: Tapped) => void): Promise<Tap> {
  const agent = new Agent({ keepAlive: true })
  let open = 0
  const server = createServer(async (request, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
    })
    const tapped: Tapped = {
      path: request.url ?? '/',
      source: String(request.headers['x-nacre-source'] ?? 'main'),
      body: await textOf(request),
      status: 0,
      error: '',
    }
    arrived(tapped)
    pass(request, response, tapped, { agent, port: target })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async quiet() {
      // Work in the background may ask again once it has its answer: quiet is when nothing came for a few turns.
      for (let calm = 0; calm < 3; calm = open === 0 ? calm + 1 : 0) await new Promise(setImmediate)
    },
    async close() {
      agent.destroy()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

function pass(
  request: IncomingMessage,
  response: ServerResponse,
  tapped: Tapped,
  { agent, port }: { readonly agent: Agent; readonly port: number },
): void {
  const { method, headers } = request
  const onward = send({ host: '127.0.0.1', port, agent, method, path: tapped.path, headers }, (answer) => {
    tapped.status = answer.statusCode ?? 0
    if (tapped.status >= 400) answer.on('data', (chunk) => (tapped.error += chunk))
    response.writeHead(tapped.status, answer.rawHeaders)
    answer.on('error', () => response.destroy())
    answer.on('aborted', () => response.destroy())
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => {
    if (!response.writableFinished) onward.destroy()
  })
  onward.end(tapped.body)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
