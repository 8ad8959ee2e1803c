import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { type CageNetwork, type CageNetworkOptions, cageNetwork } from '../../src/sandbox/network.js'
import type { Internet } from '../../src/sandbox/network-proxy.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const folders = (process.env.PATH ?? '').split(delimiter)
export const bubblewrap = folders.map((folder) => join(folder, 'bwrap')).find((path) => existsSync(path)) ?? 'bwrap'

const CAGE = [
  ...[bubblewrap, '--ro-bind', '/', '/', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'],
  ...['--proc', '/proc', '--dev', '/dev', '--cap-drop', 'ALL', '--'],
]

/** A cage that can't be made here skips its tests: the name of the skipped block says so. */
export const isCageable =
  process.platform === 'linux' && spawnSync(CAGE[0] ?? '', [...CAGE.slice(1), 'true']).status === 0

/** An address of the open internet. Nothing goes there: whatever is judged to be at it is looked for on this computer. */
export const PUBLIC = '93.184.215.14'

/** Names that end in .test are at a public address, which is this computer; others are where `hosts` says. */
export function internet(hosts: Readonly<Record<string, readonly string[]>> = {}): Internet {
  return {
    resolve: async (host) => hosts[host] ?? (host.endsWith('.test') ? [PUBLIC] : []),
    place: (address) => (address === PUBLIC ? '127.0.0.1' : address),
  }
}

export interface Started extends CageNetwork {
  readonly folder: string
  readonly asked: string[]
}

/** A network that ends with the test. No proxy of whoever runs the tests is in its way. */
export async function startNetwork(
  allows: CageNetworkOptions['allows'] = async () => true,
  world: Internet = internet(),
): Promise<Started> {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
    if (process.env[name] && !process.env[name]?.startsWith('http://127.')) vi.stubEnv(name, '')
  const folder = await temporaryFolder()
  const asked: string[] = []
  const ask: CageNetworkOptions['allows'] = (host, port) => {
    asked.push(`${host}:${port}`)
    return allows(host, port)
  }
  const network = cageNetwork({ folder, bubblewrap, allows: ask }, world)
  onTestFinished(async () => {
    await network.close()
    vi.unstubAllEnvs()
  })
  return { ...network, folder, asked }
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Starts a program in the network and in a cage of its own. It is gone after the test. */
async function start(network: CageNetwork, program: string, ...args: readonly string[]) {
  const { prefix, env } = await network.enter()
  const [first = '', ...words] = [...prefix, ...CAGE, program, ...args]
  const { PATH = '' } = process.env
  const child = spawn(first, words, { env: { PATH, HOME: '/nowhere', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

export async function run(network: CageNetwork, program: string, ...args: readonly string[]): Promise<Ended> {
  const child = await start(network, program, ...args)
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [code, out, err] = await Promise.all([exit, text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

/** What the clients below are: each answers with a text, so that a test can compare. */
const CLIENTS = `
const http = require('node:http'), net = require('node:net'), tls = require('node:tls')
const proxy = new URL(process.env.HTTP_PROXY), socksProxy = new URL(process.env.ALL_PROXY)
const whole = async (stream) => { let all = ''; for await (const chunk of stream) all += chunk; return all }
const get = (url, more = {}) => new Promise((done) => {
  http.get({ host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host }, ...more }, async (answer) =>
    done(answer.statusCode + ' ' + await whole(answer).catch((error) => error.code))).on('error', (error) => done(error.code))
})
const direct = (port, host = '127.0.0.1') => new Promise((done) => {
  http.get({ host, port }, async (answer) => done(answer.statusCode + ' ' + await whole(answer))).on('error', (error) => done(error.code))
})
const tunnel = (target) => new Promise((done) => {
  http.request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path: target })
    .on('connect', (answer, socket, head) => { socket.unshift(head); done({ status: answer.statusCode, socket }) }).on('error', (error) => done({ status: error.code })).end()
})
const secure = async (target) => {
  const { status, socket } = await tunnel(target)
  if (status !== 200) return String(status)
  const safe = tls.connect({ socket, ciphers: 'PSK', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', checkServerIdentity: () => undefined,
    pskCallback: () => ({ psk: Buffer.from('0123456789abcdef'), identity: 'one' }) })
  safe.write('hello')
  return whole(safe)
}
const socksSocket = (host, port) => new Promise((done) => {
  const name = Buffer.from(host)
  const four = net.isIPv4(host) ? Buffer.from([1, ...host.split('.').map(Number)]) : undefined
  const socket = net.connect(socksProxy.port, socksProxy.hostname).on('error', () => undefined)
  socket.write(Buffer.from([5, 1, 0]))
  socket.once('data', () => {
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), four ?? Buffer.from([3, name.length, ...name]), Buffer.of(port >> 8, port & 255)]))
    done(socket.pause())
  })
})
const socks = async (host, port, hello = '') => {
  const socket = await socksSocket(host, port)
  let all = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    if (all.length < 10 && all.length + chunk.length >= 10 && hello) socket.write(hello)
    all = Buffer.concat([all, chunk])
  })
  await new Promise((done) => socket.on('close', done).resume())
  return all.length < 10 ? 'cut' : all[1] + ' ' + all.subarray(10)
}
const say = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value))
`

/** Runs a script inside that has get, direct, tunnel, secure, socks and say. Gives what it has said. */
export async function script(network: CageNetwork, source: string): Promise<string> {
  const { out, err } = await run(network, process.execPath, '-e', `${CLIENTS}\n;(async () => { ${source} })()`)
  if (err !== '') throw new Error(err)
  return out
}

/** Starts a script inside that goes on, and waits for its first words. */
export async function startScript(network: CageNetwork, source: string) {
  const child = await start(network, process.execPath, '-e', `${CLIENTS}\n;(async () => { ${source} })()`)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

/** A server of the test on loopback of this computer. */
export async function listening(server: Server = createServer(), port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
