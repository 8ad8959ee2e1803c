import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Served {
  readonly url: string
  readonly host: string
  readonly port: number
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[]
}

/** A web server on a loopback address that is gone after the test. */
export async function serve(answer: RequestListener, address = '127.0.0.1', port = 0): Promise<Served> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = (server.address() as AddressInfo).port
  return { url: `http://${address}:${bound}`, host: `${address}:${bound}`, port: bound, asked }
}

/** Answers every request with this page. */
export function page(body: string | Buffer, type = 'text/html; charset=utf-8'): RequestListener {
  return (_request, response) => {
    response.setHeader('content-type', type)
    response.end(body)
  }
}
