import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { page, serve } from '../web/serve.js'
import { internet, isCageable, listening, PUBLIC, script, startNetwork } from './network-inside.js'

const REASON = /^it is not on the public internet/

/** Ways to write what is not public. Each could lead to this computer, its network or its cloud. */
const NAMES = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '0x7f.1', '0x7f000001', '2130706433', '017700000001'],
  ...['0177.0.0.1', '0', '0.0.0.0', '0x0', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.'],
  ...['127.0.0.1.', '127.1.', '169.254.169.254', '0xa9fea9fe', '2852039166', '169.254.43518', '10.0.0.1', '10.1'],
  ...['172.16.0.1', '192.168.1.1', '192.168.257', '100.64.0.1', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  ...['198.18.0.1', '203.0.113.1', '224.0.0.1', '239.1.2.3', '240.0.0.1', '255.255.255.255', '4294967295'],
]
const SIXES = [
  ...['::1', '::', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::127.0.0.1'],
  ...['fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '::7f00:1'],
  ...['64:ff9b:1::a00:1', '2001::1', 'fec0::1', '100::1'],
]

describe.skipIf(!isCageable)('what is not on the public internet, where bubblewrap works', () => {
  it('is refused by HTTP in every spelling, and nobody is asked', async () => {
    const network = await startNetwork()
    const urls = [...NAMES, ...SIXES.map((six) => `[${six}]`)].map((host) => `http://${host}:8080/`)
    const got = await script(
      network,
      `say(await Promise.all(${JSON.stringify(urls)}.map((url) => get(url, { headers: {} }))))`,
    )
    expect(JSON.parse(got).filter((answer: string) => !answer.startsWith('403'))).toEqual([])
    expect(network.asked).toEqual([])
    const refused = network.takeRefused()
    expect(refused.length).toBeGreaterThan(30)
    for (const { port, reason } of refused) expect([port, reason]).toEqual([8080, expect.stringMatching(REASON)])
  })

  it('is refused by CONNECT in every spelling, and nobody is asked', async () => {
    const network = await startNetwork()
    const targets = [...NAMES, ...SIXES.map((six) => `[${six}]`)].map((host) => `${host}:443`)
    const source = `say((await Promise.all(${JSON.stringify(targets)}.map(tunnel))).map(({ status }) => status)); process.exit()`
    expect(new Set(JSON.parse(await script(network, source)))).toEqual(new Set([403]))
    expect(network.asked).toEqual([])
  })

  it('is refused by SOCKS in every spelling, and nobody is asked', async () => {
    const network = await startNetwork()
    const source = `say(await Promise.all(${JSON.stringify([...NAMES, ...SIXES])}.map((host) => socks(host, 443))))`
    expect(new Set(JSON.parse(await script(network, source)))).toEqual(new Set(['2 ']))
    expect(network.asked).toEqual([])
  })

  it('is refused when it is what a name leads to, though the name is allowed', async () => {
    const { port, asked } = await serve(page('a secret'))
    const hosts = {
      'rebound.test': ['127.0.0.1'],
      'cloud.test': ['169.254.169.254', 'fd00:ec2::254'],
      'mapped.test': ['::ffff:127.0.0.1'],
      'zone.test': ['fe80::1%lo'],
    }
    const network = await startNetwork(async () => true, internet(hosts))
    for (const host of Object.keys(hosts)) {
      const source = `say([await get('http://${host}:${port}/'), (await tunnel('${host}:${port}')).status, await socks('${host}', ${port})]); process.exit()`
      const [plain, connect, socks] = JSON.parse(await script(network, source))
      expect([plain.slice(0, 3), connect, socks]).toEqual(['403', 403, '2 '])
      expect(network.takeRefused()).toEqual([{ host, port, reason: expect.stringMatching(REASON) }])
    }
    expect(asked).toEqual([])
  })

  it('is left out where a name leads to public addresses too', async () => {
    const { port } = await serve(page('public'))
    const network = await startNetwork(async () => true, internet({ 'both.test': ['127.0.0.2', PUBLIC, '::1'] }))
    expect(await script(network, `say(await get('http://both.test:${port}/'))`)).toBe('200 public')
    expect(network.takeRefused()).toEqual([])
  })

  it('is what a name leads to only at the moment of connecting: a name is resolved once for each connection', async () => {
    const { port, asked } = await serve(page('public'))
    const answers = [[PUBLIC], ['127.0.0.1']]
    const resolved: string[] = []
    const world = {
      ...internet(),
      resolve: async (host: string) => {
        resolved.push(host)
        return answers[resolved.length - 1] ?? []
      },
    }
    const network = await startNetwork(async () => true, world)
    const source = `say([await get('http://rebinding.test:${port}/'), await get('http://rebinding.test:${port}/')])`
    const [first, second] = JSON.parse(await script(network, source))
    expect([first, second.slice(0, 3), resolved.length, asked.length]).toEqual(['200 public', '403', 2, 1])
  })

  it('is an address that this computer has itself, public or not', async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
    const network = await startNetwork()
    const source = `say(await Promise.all(${JSON.stringify(own)}.map((host) => socks(host, 443))))`
    expect(new Set(JSON.parse(await script(network, source)))).toEqual(new Set(['2 ']))
    expect(network.asked).toEqual([])
  })
})

describe.skipIf(!isCageable)('a proxy that is abused, where bubblewrap works', () => {
  it('resolves no name that is not allowed, so that nothing is told to the servers of a domain', async () => {
    const resolved: string[] = []
    const world = { ...internet(), resolve: async (host: string) => [PUBLIC].slice(resolved.push(host)) }
    const network = await startNetwork(async () => 'no', world)
    await script(network, `say([await get('http://a-secret.test/'), await socks('a-secret.test', 53)])`)
    expect(resolved).toEqual([])
  })

  it('refuses what is no name of a host', async () => {
    const network = await startNetwork()
    const hosts = [
      'a%00.test',
      'fe80::1%lo',
      'localhost..',
      'a b.test',
      'a\\r\\nb.test',
      '::ffff:1.2.3.4%x.allowed.test',
      'a@b.test',
    ]
    const source = `say(await Promise.all(${JSON.stringify(hosts)}.map((host) => socks(host, 443))))`
    expect(new Set(JSON.parse(await script(network, source)))).toEqual(new Set(['2 ']))
    expect(network.asked).toEqual([])
  })

  it('goes on after bytes that make no sense, and after clients that vanish', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('fine'))
    const port = await listening(server)
    const network = await startNetwork()
    const source = `
      const { randomBytes } = require('node:crypto')
      const send = (to, bytes) => new Promise((done) => {
        const socket = net.connect(to.port, to.hostname, () => { socket.write(bytes); setImmediate(() => bytes.length % 2 ? socket.resetAndDestroy() : socket.end()) })
        socket.on('error', () => undefined).on('close', done).resume()
      })
      const heads = [Buffer.from('CONNECT '), Buffer.from('GET http://'), Buffer.of(5, 1, 0), Buffer.of(5, 1, 0, 5, 1, 0, 3, 0), Buffer.of(5, 1, 0, 5, 1, 0, 9), Buffer.of(5, 0),
        Buffer.from('CONNECT allowed.test:${port} HTTP/1.1\\r\\n\\r\\n'), Buffer.of(5, 1, 0, 5, 3, 0, 1, 1, 2, 3, 4, 0, 80), Buffer.alloc(0)]
      for (let round = 0; round < 20; round++)
        await Promise.all(heads.flatMap((head) => [proxy, socksProxy].map((to) => send(to, Buffer.concat([head, randomBytes(round * 3)])))))
      say(await socks('allowed.test', ${port}))`
    expect(await script(network, source)).toBe('0 fine')
  })

  it('remembers at most a hundred refusals', async () => {
    const network = await startNetwork()
    await script(
      network,
      `say(await Promise.all(Array.from({ length: 150 }, (_, index) => socks('10.0.0.1', index + 1))))`,
    )
    expect(network.takeRefused().length).toBe(100)
  })
})
