import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type FileHandle, open, readFile, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { delimiter, isAbsolute, join } from 'node:path'

export interface KeeperOptions {
  /** The program bubblewrap. */
  readonly bubblewrap: string
  /** Sockets of unix: those of the proxies, and one that the keeper listens at, by which ports inside are reached. */
  readonly http: string
  readonly socks: string
  readonly inside: string
}

/** A process that holds a network with nothing but loopback, and the way from there to the proxies. */
export interface Keeper {
  /** Words to put in front of a program so that it runs in this network. */
  readonly prefix: readonly string[]
  /** Fulfilled when it has ended, by whatever. */
  readonly ended: Promise<void>
  end(): Promise<void>
}

/** Where the proxies are inside. Neither ports that servers of a project use, nor such as are given to clients. */
export const HTTP_PORT = 63_128
export const SOCKS_PORT = 61_080

/**
 * Runs in the network that is kept. It ends with the pipe to the program. Whoever reaches the socket `inside` can do no
 * more than commands can anyway: connect to loopback of this network. Two bytes say the port.
 */
const SOURCE = `
const net = require('node:net')
const [http, socks, inside] = process.argv.slice(1)
const allowHalfOpen = true
const pass = (from, to) => {
  from.on('error', () => undefined).pipe(to)
  from.on('close', () => from.readableEnded && from.writableFinished ? undefined : to.destroy())
}
const relay = (one, other) => { pass(one, other); pass(other, one) }
const listen = (where, take, whenFailed) =>
  new Promise((done) => {
    const server = net.createServer({ allowHalfOpen }, take)
    server.on('error', (error) => (server.listening ? undefined : whenFailed(error, done))).listen(where, done)
  })
const fail = (error) => { console.error(error.message); process.exit(1) }
const lookup = (_host, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }])
const outwards = (path) => (socket) => relay(socket, net.connect({ path, allowHalfOpen }))
const inwards = (socket) => {
  const head = socket.read(2)
  if (head === null) return socket.once('readable', () => inwards(socket)).on('error', () => undefined)
  const port = head.readUInt16BE()
  relay(socket, net.connect({ host: 'localhost', port, lookup, autoSelectFamily: true, allowHalfOpen }))
}
const proxy = (port, path) => [
  listen({ host: '127.0.0.1', port }, outwards(path), fail),
  listen({ host: '::1', port, ipv6Only: true }, outwards(path), (_error, done) => done()),
]
process.stdin.on('end', () => process.exit()).on('error', () => process.exit()).resume()
Promise.all([...proxy(${HTTP_PORT}, http), ...proxy(${SOCKS_PORT}, socks), listen({ path: inside }, inwards, fail)])
  .then(() => console.log(process.pid))
`

/** Rejects, with what to do about it, where there is no such network. */
export async function startKeeper({ bubblewrap, http, socks, inside }: KeeperOptions): Promise<Keeper> {
  const nsenter = findNsenter()
  const child = spawn(
    bubblewrap,
    [
      ...['--unshare-net', ...((await needsUserNamespace()) ? ['--unshare-user'] : []), '--cap-drop', 'ALL'],
      ...['--dev-bind', '/', '/', '--die-with-parent', '--', process.execPath, '-e', SOURCE, '--', http, socks, inside],
    ],
    // Nothing of the environment goes to it. A group of its own, so that no key of the terminal ends it.
    { env: { ELECTRON_RUN_AS_NODE: '1' }, cwd: '/', stdio: 'pipe', detached: true },
  )
  const errors: string[] = []
  child.stdin.on('error', () => undefined)
  child.stdout.setEncoding('utf8')
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const ended = new Promise<void>((resolve) => {
    child
      .once('close', () => resolve())
      .on('error', ({ message }) => {
        errors.push(message)
        // What has not started closes nothing.
        if (child.pid === undefined) resolve()
      })
  })
  const end = async () => {
    // Whoever closes waits for it, and the program must not end before that.
    child.ref()
    for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.ref()
    child.stdin.end()
    child.kill('SIGKILL')
    await ended
  }
  const id = await Promise.race([
    new Promise<string>((resolve) => child.stdout.once('data', resolve)),
    ended.then(() => undefined),
  ])
  if (id === undefined) {
    throw new Error(`bubblewrap made no network for commands: ${errors.join('').trim()}. ${REMEDY}`)
  }
  child.unref()
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref()
  try {
    return { prefix: [nsenter, ...(await namespaces(id.trim(), ended)), '--'], ended, end }
  } catch (error) {
    await end()
    throw error
  }
}

const REMEDY = 'Install the package bubblewrap, and see that users may make namespaces here.'

/** The first of the places where it usually is, then of PATH, but for folders that depend on where one stands. */
function findNsenter(): string {
  const folders = ['/usr/bin', '/bin', '/usr/sbin', ...(process.env.PATH ?? '').split(delimiter).filter(isAbsolute)]
  const found = folders.map((folder) => join(folder, 'nsenter')).find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Error('nsenter, which leads commands into their network, was not found. Install the package util-linux.')
}

/** Root that may do all makes a network as it is; root of most containers needs a namespace of users first, as others do. */
async function needsUserNamespace(): Promise<boolean> {
  if (process.getuid?.() !== 0) return true
  const [, effective] = /^CapEff:\s*([0-9a-f]+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? []
  const CAP_SYS_ADMIN = 21n
  return effective === undefined || ((BigInt(`0x${effective}`) >> CAP_SYS_ADMIN) & 1n) === 0n
}

/**
 * What says to nsenter where to go. The namespaces are named by files that stay open here: an id of a process that has
 * ended may be another's, whose network is that of the machine.
 */
async function namespaces(id: string, ended: Promise<void>): Promise<string[]> {
  const [net, user] = await Promise.all([open(`/proc/${id}/ns/net`), open(`/proc/${id}/ns/user`)])
  void ended.then(() => Promise.all([net.close(), user.close()]))
  if (await isOwn(net, 'net')) throw new Error(`bubblewrap made no network of its own for commands. ${REMEDY}`)
  const path = ({ fd }: FileHandle) => `/proc/${process.pid}/fd/${fd}`
  const users = (await isOwn(user, 'user')) ? [] : [`--user=${path(user)}`, '--preserve-credentials']
  return [...users, `--net=${path(net)}`]
}

async function isOwn(namespace: FileHandle, kind: string): Promise<boolean> {
  const [own, other] = await Promise.all([stat(`/proc/self/ns/${kind}`), namespace.stat()])
  return own.ino === other.ino
}
