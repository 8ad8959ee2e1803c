import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer as createWebServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../shell/processes.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { page, serve } from '../web/serve.js'
import { internet, isCageable, listening, PUBLIC, run, script, startNetwork, startScript } from './network-inside.js'

describe.skipIf(!isCageable)('the way out of the cage, where bubblewrap works', () => {
  it('leads by HTTP to a host that is allowed', async () => {
    const { port } = await serve((request, response) => response.end(`${request.method} ${request.headers.host}`))
    const network = await startNetwork()
    expect(await script(network, `say(await get('http://allowed.test:${port}/a?b'))`)).toBe(
      `200 GET allowed.test:${port}`,
    )
    expect(network.asked).toEqual([`allowed.test:${port}`])
    expect(network.takeRefused()).toEqual([])
  })

  it('leads by CONNECT to a server that speaks TLS, and nobody reads along', async () => {
    const psk = Buffer.from('0123456789abcdef')
    const server = createTlsServer(
      { ciphers: 'PSK', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', pskCallback: () => psk },
      (socket) => void socket.once('data', (said) => socket.end(`you said ${said}`)),
    )
    const port = await listening(server)
    const network = await startNetwork()
    expect(await script(network, `say(await secure('allowed.test:${port}'))`)).toBe('you said hello')
    expect(network.asked).toEqual([`allowed.test:${port}`])
  })

  it('leads by SOCKS to any server', async () => {
    const server = createServer((socket) => socket.once('data', (said) => socket.end(`you said ${said}`)))
    const port = await listening(server)
    const network = await startNetwork()
    expect(await script(network, `say(await socks('allowed.test', ${port}, 'hello'))`)).toBe('0 you said hello')
  })

  it('is the only one: inside there is nothing but loopback, and no name is known', async () => {
    const { port } = await serve(page('outside'))
    const network = await startNetwork()
    const source = `
      const at = (host) => new Promise((done) => net.connect(${port}, host).on('connect', () => done('connected')).on('error', (error) => done(error.code)))
      say([Object.keys(require('node:os').networkInterfaces()), await at('127.0.0.1'), await at('${PUBLIC}'), await at('allowed.test')])`
    const [interfaces, loopback, address, name] = JSON.parse(await script(network, source))
    expect(interfaces).toEqual(['lo'])
    expect([loopback, address]).toEqual(['ECONNREFUSED', 'ENETUNREACH'])
    expect(name).toMatch(/^E/)
  })

  it('is found by git without being told', async () => {
    const folder = await temporaryFolder()
    const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' })
    git('init', '-q', '-b', 'main')
    git('-c', 'user.name=a', '-c', 'user.email=a@b.test', 'commit', '-q', '--allow-empty', '-m', 'one')
    git('update-server-info')
    const { port } = await serve(async (request, response) => {
      const path = new URL(request.url ?? '', 'http://a').pathname
      const found = await readFile(join(folder, '.git', path)).catch(() => undefined)
      response.writeHead(found ? 200 : 404).end(found)
    })
    const network = await startNetwork()
    const { out, err } = await run(network, 'git', 'ls-remote', `http://allowed.test:${port}/`, 'main')
    expect([out, err]).toEqual([`${git('rev-parse', 'main').trim()}\trefs/heads/main\n`, ''])
  })

  it.skipIf(spawnSync('curl', ['--version']).status !== 0)('is found by curl, where there is one', async () => {
    const { port } = await serve(page('yes'))
    const network = await startNetwork()
    const { out, err } = await run(network, 'curl', '-sS', '--fail', `http://allowed.test:${port}/`)
    expect([out, err]).toEqual(['yes', ''])
  })

  it('passes on all of a large answer to a client that reads slowly', async () => {
    const size = 900_000
    const server = createServer((socket) => socket.end(Buffer.alloc(size, 'x')).on('error', () => undefined))
    const port = await listening(server)
    const network = await startNetwork()
    const source = `
      const slowly = async (socket) => {
        let all = 0
        for await (const chunk of socket) { all += chunk.length; await new Promise((done) => setTimeout(done, 3)) }
        return all
      }
      const some = Array.from({ length: 8 })
      const tunnels = some.map(async () => slowly((await tunnel('allowed.test:${port}')).socket))
      say([await Promise.all(tunnels), await Promise.all(some.map(async () => slowly(await socksSocket('allowed.test', ${port}))))])`
    const whole = Array.from({ length: 8 }, () => size)
    expect(JSON.parse(await script(network, source))).toEqual([whole, whole.map((each) => each + 10)])
  })

  it('passes on an upload, and the answer to a client that has said that it is done', async () => {
    const { port } = await serve(async (request, response) => {
      let size = 0
      for await (const chunk of request) size += chunk.length
      response.end(String(size))
    })
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      let all = ''
      socket.on('data', (chunk) => {
        all += chunk
      })
      socket.on('end', () => socket.end(`all of ${all}`))
    })
    const echoPort = await listening(echo)
    const network = await startNetwork()
    const source = `
      const upload = new Promise((done) => http.request({ host: proxy.hostname, port: proxy.port, method: 'POST', path: 'http://allowed.test:${port}/' },
        async (answer) => done(await whole(answer))).end(Buffer.alloc(2000000)))
      const { socket } = await tunnel('allowed.test:${echoPort}')
      socket.end('it')
      say([await upload, await whole(socket)])`
    expect(JSON.parse(await script(network, source))).toEqual(['2000000', 'all of it'])
  })

  it('leads through the proxy that the person has', async () => {
    const seen: string[] = []
    const parent = createWebServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      response.end('from the parent')
    })
    parent.on('connect', (request, socket: Socket) => {
      seen.push(`${request.method} ${request.url}`)
      socket.end('HTTP/1.1 200 Connection Established\r\n\r\ntunnel')
    })
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await listening(parent)}`)
    vi.stubEnv('NO_PROXY', 'direct.test')
    const { port } = await serve(page('direct'))
    const hosts = { 'inside.test': ['10.0.0.1'], 'unknown.example': [] }
    const network = await startNetwork(async () => true, internet(hosts))
    const source = `
      const { socket } = await tunnel('unknown.example:443')
      say([await get('http://unknown.example/a'), await whole(socket), await get('http://direct.test:${port}/'), await get('http://inside.test/')])`
    const [plain, tunnel, direct, inside] = JSON.parse(await script(network, source))
    expect([plain, tunnel, direct]).toEqual(['200 from the parent', 'tunnel', '200 direct'])
    expect(inside).toMatch(/^403/)
    expect(seen).toEqual(['CONNECT unknown.example:443', 'GET http://unknown.example/a'])
    expect(network.takeRefused()).toMatchObject([{ host: 'inside.test', port: 80 }])
  })
})

describe.skipIf(!isCageable)('a question about a host, where bubblewrap works', () => {
  it('is asked once for ten connections that wait for it', async () => {
    const { port } = await serve(page('yes'))
    let answer: (allowed: true) => void = () => undefined
    const first = new Promise<true>((resolve) => {
      answer = resolve
    })
    const network = await startNetwork(() => first)
    // What is refused at once is answered after all that was sent before it has come.
    const child = await startScript(
      network,
      `const ten = Promise.all(Array.from({ length: 10 }, () => get('http://allowed.test:${port}/')))
       for (let round = 0; round < 5; round++) await get('http://10.0.0.1/')
       say('sent')
       say(await ten)`,
    )
    const asked = network.asked.length
    answer(true)
    expect(JSON.parse(await text(child.stdout))).toEqual(Array.from({ length: 10 }, () => '200 yes'))
    expect([asked, network.asked]).toEqual([1, [`allowed.test:${port}`]])
  })

  it('is asked again for the next connection, and about other ports after its answer', async () => {
    const { port } = await serve(page('yes'))
    const other = await serve(page('other'))
    const waiting = new Set<string>()
    let most = 0
    const network = await startNetwork(async (host) => {
      waiting.add(host)
      most = Math.max(most, waiting.size)
      expect(waiting.size).toBe(1)
      await new Promise(setImmediate)
      waiting.delete(host)
      return true
    })
    const urls = [port, other.port].map((each) => `get('http://allowed.test:${each}/')`)
    expect(JSON.parse(await script(network, `say(await Promise.all([${urls}]))`))).toEqual(['200 yes', '200 other'])
    await script(network, `say(await ${urls[0]})`)
    expect(network.asked.length).toBe(3)
  })

  it('is not asked about a name in another spelling', async () => {
    const { port } = await serve(page('yes'))
    const network = await startNetwork()
    const source = `say([await get('http://ALLOWED.test.:${port}/'), (await tunnel('Allowed.TEST.:${port}')).status, await socks('aLLowed.test', 1)])`
    expect(JSON.parse(await script(network, `${source}; process.exit()`))).toEqual(['200 yes', 200, expect.any(String)])
    expect(new Set(network.asked)).toEqual(new Set([`allowed.test:${port}`, 'allowed.test:1']))
  })

  it('that is answered by no, or that fails, refuses with the reason', async () => {
    const network = await startNetwork(async (host) => {
      if (host === 'fails.test') throw new Error('no screen')
      return 'the person said no'
    })
    const source = `say([await get('http://denied.test/'), (await tunnel('denied.test:443')).status, await socks('fails.test', 22)])`
    const [plain, connect, socks] = JSON.parse(await script(network, `${source}; process.exit()`))
    expect([plain.slice(0, 3), connect, socks]).toEqual(['403', 403, '2 '])
    expect(network.takeRefused()).toEqual([
      { host: 'denied.test', port: 80, reason: 'the person said no' },
      { host: 'denied.test', port: 443, reason: 'the person said no' },
      { host: 'fails.test', port: 22, reason: 'nobody could be asked: no screen' },
    ])
    expect(network.takeRefused()).toEqual([])
  })

  it('is left alone by a client that goes away', async () => {
    const { port } = await serve(page('yes'))
    const answers: ((allowed: true) => void)[] = []
    const network = await startNetwork(() => new Promise((resolve) => answers.push(resolve)))
    const child = await startScript(network, `say('sent'); say(await get('http://allowed.test:${port}/'))`)
    await vi.waitFor(() => expect(answers.length).toBe(1), PATIENT)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    answers[0]?.(true)
    const next = script(network, `say(await get('http://allowed.test:${port}/'))`)
    await vi.waitFor(() => expect(answers.length).toBe(2), PATIENT)
    answers[1]?.(true)
    expect(await next).toBe('200 yes')
  })
})
