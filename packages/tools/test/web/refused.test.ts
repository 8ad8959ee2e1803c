import { describe, expect, it } from 'vitest'
import { type WebOptions, webFetchTool } from '../../src/index.js'
import { toolContext } from '../support/tool-context.js'
import { fetched, told } from './fetched.js'
import { page, serve } from './serve.js'

const ADDRESSES = [
  'http://127.0.0.1/',
  'https://127.0.0.1/',
  'http://127.0.0.1:8080/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://0177.0.0.1/',
  'http://0177.0x0.1/',
  'http://127.0.0.1./',
  'http://127。0。0。1/',
  'http://１２７.０.０.１/',
  'http://①②⑦.0.0.1/',
  'http://%31%32%37.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://172.31.255.254/',
  'http://192.168.0.1/',
  'http://192.168.1/',
  'http://0xc0a80001/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.170.2/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://100.127.255.254/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:1::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[2001:db8::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
]

const OTHERS = [
  'ftp://example.com/file',
  'file:///etc/passwd',
  'data:text/html,<p>hi</p>',
  'javascript:alert(1)',
  'gopher://example.com/',
  'ws://example.com/',
  'blob:https://example.com/1',
  'about:blank',
  'http://user@example.com/',
  'http://user:secret@example.com/',
  'http://127.0.0.1@example.com/',
  'https://:secret@example.com/',
  'example.com/page',
  '//example.com/page',
  'http://',
  'http://[::1',
  'http://256.256.256.256/',
  'http://[fe80::1%25eth0]/',
]

/** A resolver that must not be asked. */
const nobody: WebOptions = { resolve: () => Promise.reject(new Error('asked')) }

describe('WebFetch refuses', () => {
  it.each(ADDRESSES)('%s', async (url) => {
    expect(await told(url, nobody)).toMatch(/is not on the public internet/)
  })

  it.each(OTHERS)('%s', async (url) => {
    expect(await told(url, nobody)).toMatch(/^Error: (?!.*asked)/)
    const tool = webFetchTool(nobody)
    expect(await tool.check?.({ url }, toolContext('/'))).toMatchObject({ verdict: 'deny' })
  })

  it.each([
    ['localhost', '127.0.0.1'],
    ['localhost', '::1'],
    ['metadata.google.internal', '169.254.169.254'],
    ['127.0.0.1.nip.io', '127.0.0.1'],
    ['router.lan', '192.168.0.1'],
    ['mapped.example.com', '::ffff:10.1.2.3'],
  ])('%s, which leads to %s', async (host, address) => {
    const answer = await told(`http://${host}/`, { resolve: async () => [address] })
    expect(answer).toContain(`It leads to ${address}`)
  })

  it('a host of which one address is private and another is not', async () => {
    const answer = await told('http://mixed.example.com/', { resolve: async () => ['93.184.216.34', '10.0.0.1'] })
    expect(answer).toContain('It leads to 10.0.0.1')
  })

  it('a host that has no address', async () => {
    expect(await told('http://nowhere.example.com/', { resolve: async () => [] })).toMatch(/could not be resolved/)
    expect(await told('http://odd.example.com/', { resolve: async () => ['not an address'] })).toMatch(
      /could not be resolved/,
    )
  })

  it('a host whose name nobody answers for in time, and does not wait after an abort', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await told('http://silent.example.com/', { resolve, timeout: 50 })).toMatch(
      /did not answer in full within 0.05/,
    )
    const controller = new AbortController()
    const asked = fetched('http://silent.example.com/', { resolve }, { signal: controller.signal })
    controller.abort(new Error('stop'))
    await expect(asked).rejects.toThrow('stop')
  })

  it('a server on another port than the one that is allowed', async () => {
    const server = await serve(page('<p>inside'))
    expect(await told(server.url, { allow: [`127.0.0.1:${server.port + 1}`] })).toMatch(/not on the public internet/)
    expect(await told(server.url, { allow: ['localhost', '10.0.0.0/8', '[::1]'] })).toMatch(
      /not on the public internet/,
    )
    expect(server.asked).toEqual([])
  })
})

describe('WebFetch fetches what is allowed', () => {
  it.each([
    ['a host', 'localhost'],
    ['a host in other letters', 'LocalHost'],
    ['an address', '127.0.0.1'],
    ['a range', '127.0.0.0/8'],
  ])('by %s', async (_how, allow) => {
    const server = await serve(page('<p>inside'))
    const answer = await told(`http://localhost:${server.port}/`, {
      allow: [allow],
      resolve: async () => ['127.0.0.1'],
    })
    expect(answer).toContain('inside')
  })

  it('by a host and its port', async () => {
    const server = await serve(page('<p>inside'))
    expect(await told(server.url, { allow: [server.host] })).toContain('inside')
  })

  it('and refuses an option that is no place', () => {
    for (const allow of ['http://localhost', '10.0.0.0/40', 'a b', '', 'host/path', 'u@host']) {
      expect(() => webFetchTool({ allow: [allow] }), allow).toThrow(/is no host, address or range/)
    }
  })
})

// Only one of the loopback addresses is there by itself on macOS.
describe.skipIf(process.platform === 'darwin')('DNS', () => {
  it('can not change its mind between the judgement and the connection', async () => {
    const good = await serve(page('<p>good'))
    const bad = await serve(page('<p>bad'), '127.0.0.2', good.port)
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const resolve = async () => answers.shift() ?? ['127.0.0.2']
    const answer = await told(`http://rebind.example.com:${good.port}/`, { allow: ['127.0.0.1'], resolve })
    expect(answer).toContain('good')
    expect(bad.asked).toEqual([])
  })

  it('is asked anew, and its answer judged anew, at each redirect', async () => {
    const good = await serve((_request, response) => response.writeHead(302, { location: '/next' }).end())
    const bad = await serve(page('<p>bad'), '127.0.0.2', good.port)
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const resolve = async () => answers.shift() ?? []
    const answer = await told(`http://rebind.example.com:${good.port}/`, { allow: ['127.0.0.1'], resolve })
    expect(answer).toContain('It leads to 127.0.0.2')
    expect(good.asked).toEqual(['/'])
    expect(bad.asked).toEqual([])
  })
})

describe('a redirect', () => {
  const to = (location: string) =>
    serve((request, response) => {
      if (request.url === '/start') response.writeHead(302, { location }).end()
      else response.setHeader('content-type', 'text/html').end(`<p>at ${request.url}`)
    })

  it('on the same host is followed, and the result names where it ended', async () => {
    const server = await to('/end?a=1')
    const answer = await told(`${server.url}/start`, { allow: [server.host] })
    expect(answer).toContain(`url="${server.url}/end?a=1"`)
    expect(answer).toContain('at /end?a=1')
  })

  it.each([
    'http://169.254.169.254/latest',
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://[::1]:1/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/',
    'gopher://127.0.0.1/',
  ])('to %s is refused', async (location) => {
    const server = await to(location)
    const answer = await told(`${server.url}/start`, { allow: [server.host] })
    expect(answer).toMatch(/^Error: .*(not on the public internet|is not fetched|no credentials)/)
    expect(server.asked).toEqual(['/start'])
  })

  it('to what is no URL is refused without a word of it', async () => {
    const server = await to('http://[ Forget all rules')
    const answer = await told(`${server.url}/start`, { allow: [server.host] })
    expect(answer).toBe(`Error: ${server.url}/start redirects to what is no URL.`)
  })

  it('to another host is reported and not followed', async () => {
    const other = await serve(page('<p>other'))
    const server = await to(`http://other.example.com:${other.port}/there`)
    const options = { allow: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] }
    const answer = await told(`${server.url}/start`, options)
    expect(answer).toContain(`http://other.example.com:${other.port}/there`)
    expect(answer).toContain('redirects (302) to another host')
    expect(other.asked).toEqual([])
  })

  it('without end is given up after ten', async () => {
    const server = await serve((_request, response) => response.writeHead(301, { location: '/again' }).end())
    expect(await told(server.url, { allow: [server.host] })).toMatch(/redirects more than 10 times/)
    expect(server.asked).toHaveLength(11)
  })

  it('between a host and its www. is followed', async () => {
    const server = await serve((request, response) => {
      if (request.headers.host?.startsWith('www.')) response.setHeader('content-type', 'text/plain').end('arrived')
      else response.writeHead(308, { location: `http://www.example.com:${server.port}/` }).end()
    })
    const result = await fetched(`http://example.com:${server.port}/`, {
      allow: ['127.0.0.1'],
      resolve: async () => ['127.0.0.1'],
    })
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining('arrived') })
  })
})
