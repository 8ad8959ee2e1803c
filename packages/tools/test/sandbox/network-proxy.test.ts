import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProxies } from '../../src/sandbox/network-proxy.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { internet, listening } from './network-inside.js'

describe.runIf(process.platform === 'linux')('the proxies of the cage', () => {
  it('pass on the end of an answer although its server has gone before the client reads', async () => {
    const folder = await temporaryFolder()
    const [http, socks] = [join(folder, 'http'), join(folder, 'socks')]
    const refused = () => undefined
    const end = await startProxies({ http, socks, internet: internet(), allows: async () => true, refused })
    onTestFinished(end)
    // Around what fits into the buffers of the system: the rest waits in the program.
    const sizes = Array.from({ length: 60 }, (_, index) => 150_000 + index * 3_000)
    const server = createServer((socket) => {
      socket.once('data', (index) => socket.end(Buffer.alloc(sizes[Number(index)] ?? 0, 'x')))
    })
    const port = await listening(server)
    const lengths = sizes.map(async (_, index) => {
      const socket = connect(http)
      socket.write(`CONNECT allowed.test:${port} HTTP/1.1\r\n\r\n`)
      const [head] = await once(socket, 'data')
      expect(String(head)).toBe('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pause()
      socket.write(String(index))
      for (let turn = 0; turn < 300; turn++) await new Promise(setImmediate)
      let length = 0
      for await (const chunk of socket) length += chunk.length
      return length
    })
    expect(await Promise.all(lengths)).toEqual(sizes)
  })
})
