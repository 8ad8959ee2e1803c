import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in front of another one that keeps every body that has come in whole, answered or not. */
export interface RecordingProxy {
  readonly url: string
  readonly bodies: string[]
  /** Is told of each request that has come in, and of each event of an answer that is about to go out; a promise holds it. */
  watch(watcher: Watcher): void
  close(): Promise<void>
}

type Watcher = (kind: 'request' | 'event') => Promise<void> | undefined

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const bodies: string[] = []
  let watcher: Watcher = () => undefined
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const body = Buffer.concat(chunks)
    bodies.push(body.toString())
    await watcher('request')
    const { method, url, headers } = incoming
    const passed = ask(`${target}${url}`, { method, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      // One event at a time, so that an answer can be held anywhere.
      for (const piece of text.split(/(?<=\n\n)/)) {
        await watcher('event')
        if (outgoing.destroyed) return
        outgoing.write(piece)
      }
      outgoing.end()
    })
    passed.on('error', () => outgoing.destroy())
    passed.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    watch(next) {
      watcher = next
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
