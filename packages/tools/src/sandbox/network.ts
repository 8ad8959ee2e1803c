import { chmod, mkdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { oneAtATime } from '../async.js'
import { HTTP_PORT, type Keeper, SOCKS_PORT, startKeeper } from './network-keeper.js'
import { listen, relay } from './network-listener.js'
import { INTERNET, type Internet, startProxies } from './network-proxy.js'

/** The network of all commands of a session that may work: loopback of its own, and a proxy as the only way out. */
export interface CageNetwork {
  /** Words to put in front of a program so that it runs in this network, and the variables that name the proxy to it. */
  enter(): Promise<{ readonly prefix: readonly string[]; readonly env: Readonly<Record<string, string>> }>
  /** Makes a port of a server inside reachable from outside, at the same port of 127.0.0.1. */
  publish(port: number): Promise<void>
  unpublish(port: number): Promise<void>
  published(): readonly number[]
  /** Hosts that were refused since this was asked the last time, each once. */
  takeRefused(): readonly { readonly host: string; readonly port: number; readonly reason: string }[]
  close(): Promise<void>
}

export interface CageNetworkOptions {
  /** A private folder (0700) that lasts as long as the network. */
  readonly folder: string
  /** The program bubblewrap. */
  readonly bubblewrap: string
  /** Whether a host may be reached; asked each time. A text says why not. */
  allows(host: string, port: number): Promise<true | string>
}

/** Nothing is started before the first `enter`. What names and addresses of the internet mean, only a test says. */
export function cageNetwork(options: CageNetworkOptions, internet: Internet = INTERNET): CageNetwork {
  const { folder, bubblewrap, allows } = options
  const sockets = { http: join(folder, 'http'), socks: join(folder, 'socks'), inside: join(folder, 'inside') }
  const refusals = new Map<string, Refusal>()
  const ports = publishedPorts(sockets.inside)
  const inOrder = oneAtATime()
  let proxies: Promise<() => Promise<void>> | undefined
  let keeper: Promise<Keeper> | undefined
  let isClosed = false

  const refused = (host: string, port: number, reason: string) => {
    if (refusals.size < MOST_REFUSALS) refusals.set(`${host} ${port}`, { host, port, reason })
  }

  const startKeeping = async () => {
    const kept = await startKeeper({ ...sockets, bubblewrap })
    // The next command gets another network.
    void kept.ended.then(() => {
      keeper = undefined
    })
    return kept
  }

  const open = async () => {
    if (isClosed)
      throw new Error('The network for commands was closed, as the session has ended. Open another session.')
    if (!keeper) await prepare(folder, sockets.inside)
    proxies ??= startProxies({ ...sockets, internet, allows, refused }).catch((error: unknown) => {
      proxies = undefined
      throw error
    })
    keeper ??= startKeeping().catch((error: unknown) => {
      keeper = undefined
      throw error
    })
    const [{ prefix }] = await Promise.all([keeper, proxies])
    return { prefix, env: ENVIRONMENT }
  }

  const close = async () => {
    isClosed = true
    await Promise.all(ports.all().map(ports.unpublish))
    const [ends, kept] = await Promise.allSettled([proxies, keeper])
    if (ends.status === 'fulfilled') await ends.value?.()
    if (kept.status === 'fulfilled') await kept.value?.end()
    await rm(sockets.inside, { force: true })
  }

  return {
    enter: () => inOrder(open),
    publish: (port) => inOrder(() => open().then(() => ports.publish(port))),
    unpublish: (port) => inOrder(() => ports.unpublish(port)),
    published: ports.all,
    takeRefused() {
      const all = [...refusals.values()]
      refusals.clear()
      return all
    },
    close: () => inOrder(close),
  }
}

/** A private folder whose sockets have a path short enough, and none of an earlier keeper. */
async function prepare(folder: string, inside: string): Promise<void> {
  if (Buffer.byteLength(inside) > LONGEST_SOCKET)
    throw new Error(`The path ${folder} is too long for sockets. Set TMPDIR to a folder with a short path.`)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await rm(inside, { force: true })
}

/** Ports of this computer that lead to the same ones inside, by the socket at which the keeper listens. */
function publishedPorts(inside: string) {
  const ports = new Map<number, () => Promise<void>>()
  return {
    all: () => [...ports.keys()].sort((one, other) => one - other),
    async publish(port: number) {
      if (ports.has(port)) return
      if (!Number.isInteger(port) || port < 1 || port > 65_535 || port === HTTP_PORT || port === SOCKS_PORT)
        throw new Error(`${port} is no port of a server. Name the one that it listens at, from 1 to 65535.`)
      const server = createServer({ allowHalfOpen: true }, (client) => {
        const way = connect({ path: inside, allowHalfOpen: true })
        way.write(Buffer.of(port >> 8, port & 255))
        relay(client, way)
      })
      const end = await listen(server, { host: '127.0.0.1', port }).catch((error: NodeJS.ErrnoException) => {
        throw new Error(`Port ${port} can't be opened: ${WHY_NOT[error.code ?? ''] ?? error.message}`, { cause: error })
      })
      ports.set(port, end)
    },
    async unpublish(port: number) {
      await ports.get(port)?.()
      ports.delete(port)
    },
  }
}

type Refusal = ReturnType<CageNetwork['takeRefused']>[number]

/** More than a sentence about them has room for: a command may try all ports of a host. */
const MOST_REFUSALS = 100

/** Bytes that the path of a socket of unix may have. */
const LONGEST_SOCKET = 107

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program of this computer uses it. Let the server listen at another one.',
  EACCES: 'only root may. Let the server listen at one above 1023.',
}

const HTTP_PROXY = `http://127.0.0.1:${HTTP_PORT}`
const SOCKS_PROXY = `socks5h://127.0.0.1:${SOCKS_PORT}`
const LOOPBACK = 'localhost,127.0.0.1,::1'

/** Names the proxy to programs, each in the way that it looks for. What files of npm and yarn say of a proxy yields to it. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  HTTP_PROXY,
  http_proxy: HTTP_PROXY,
  HTTPS_PROXY: HTTP_PROXY,
  https_proxy: HTTP_PROXY,
  ALL_PROXY: SOCKS_PROXY,
  all_proxy: SOCKS_PROXY,
  NO_PROXY: LOOPBACK,
  no_proxy: LOOPBACK,
  NODE_USE_ENV_PROXY: '1',
  npm_config_proxy: HTTP_PROXY,
  npm_config_https_proxy: HTTP_PROXY,
  npm_config_noproxy: LOOPBACK,
  YARN_HTTP_PROXY: HTTP_PROXY,
  YARN_HTTPS_PROXY: HTTP_PROXY,
}
