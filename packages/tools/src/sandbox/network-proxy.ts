import { lookup } from 'node:dns/promises'
import { rm } from 'node:fs/promises'
import { createServer, isIP, type LookupFunction, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '../public-address.js'
import { listen } from './network-listener.js'

/** How the names of the internet are found, and where its addresses are. */
export interface Internet {
  resolve(host: string): Promise<readonly string[]>
  /** Where to connect to for an address that was judged: the address itself, but in a test. */
  place(address: string): string
}

export const INTERNET: Internet = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  place: (address) => address,
}

export interface ProxyOptions {
  /** The sockets of unix to listen at. */
  readonly http: string
  readonly socks: string
  readonly internet: Internet
  allows(host: string, port: number): Promise<true | string>
  refused(host: string, port: number, reason: string): void
}

/** As many connections as a build makes at once, and not so many that a command takes all descriptors of the program. */
const MOST_CONNECTIONS = 500

const NOT_PUBLIC =
  'it is not on the public internet, and commands reach no address of this computer, of its local network or of its cloud'

/** The only ways out of the cage: a proxy that speaks HTTP and one that speaks SOCKS. Gives what ends both. */
export async function startProxies(options: ProxyOptions): Promise<() => Promise<void>> {
  const library = await loadLibrary()
  const parent = library.resolveParentProxy()
  const ask = oneQuestion(options.allows)

  // What is judged is the spelling that the library dials: it makes the same of what a client has sent.
  const filter = async (port: number, asked: string) => {
    const host = library.isValidHost(asked) ? library.canonicalizeHost(asked) : undefined
    const against = host === undefined ? 'it is no name of a host' : await reasonAgainst(host, port)
    if (against !== undefined) options.refused(host ?? asked.replace(/[^!-~]/g, '?').slice(0, 255), port, against)
    return against === undefined
  }

  // A name is resolved only once it is allowed: what is asked of the servers of its domain may be a message to them.
  async function reasonAgainst(host: string, port: number): Promise<string | undefined> {
    if (host === '' || host.endsWith('.')) return 'it is no name of a host'
    if (isIP(host) ? !isReachable(host) : /(^|\.)localhost$/.test(host)) return NOT_PUBLIC
    const answer = await ask(host, port)
    if (answer !== true) return answer
    if (parent === undefined || isIP(host) || library.shouldBypassParentProxy(parent, host)) return undefined
    // The parent resolves it; some know names that nobody here knows. One that is known to lead inside is refused.
    const addresses = await options.internet.resolve(host).catch(() => [])
    return addresses.length > 0 && !addresses.some(isReachable) ? NOT_PUBLIC : undefined
  }

  // The addresses that are judged are those that are connected to, so a name can't lead elsewhere a moment later.
  const lookupFor = (port: number): LookupFunction => {
    const judged = callbackify(async (host: string) => {
      const addresses = await options.internet.resolve(host)
      const reachable = addresses.filter(isReachable).map(options.internet.place)
      if (reachable.length > 0) return reachable.map((address) => ({ address, family: isIP(address) }))
      if (addresses.length === 0) throw new Error(`There is no host ${host}.`)
      options.refused(host, port, NOT_PUBLIC)
      throw new library.ResolvedAddressDeniedError(host, NOT_PUBLIC, addresses)
    })
    return (host, { all }, callback) =>
      judged(host, (error, found) => {
        if (error) callback(error, '', 0)
        else if (all) callback(null, found)
        else callback(null, found[0]?.address ?? '', found[0]?.family)
      })
  }

  const common = { filter, lookupFor, ...(parent && { parentProxy: parent }) }
  const http = library.createHttpProxyServer(common)
  // A long upload is no attack.
  http.requestTimeout = 0
  const socks = createServer(library.createSocksProxyServer(common).handleConnection)
  const ends: (() => Promise<void>)[] = []
  for (const [server, path] of [[http, options.http] as const, [socks, options.socks] as const]) {
    server.maxConnections = MOST_CONNECTIONS
    server.on('connection', endGently)
    await rm(path, { force: true })
    ends.push(await listen(server, { path }))
  }
  return async () => {
    await Promise.all(ends.map((end) => end()))
  }
}

/** The library destroys a client when its server has ended, although the end of what that has sent may be on its way. */
function endGently(socket: Socket): void {
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (error || !socket.writableEnded || socket.writableFinished) return destroy(error)
    return socket.once('finish', () => destroy())
  }
}

/** Its manager has one network for a whole process, so only the parts that it is made of are used. */
async function loadLibrary() {
  const [http, socks, parent, guard] = await Promise.all([
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/socks-proxy.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/parent-proxy.js'),
    import('@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js'),
  ])
  return { ...http, ...socks, ...parent, ...guard }
}

/** Of Azure: by it a virtual machine gets its keys. It looks like any other address. */
const WIRE_SERVER = '168.63.129.16'

/** Whether an address is public, and leads to another computer: at its own one finds what listens at loopback too. */
function isReachable(address: string): boolean {
  if (!isPublicAddress(address) || address === WIRE_SERVER) return false
  const plain = (text: string) => ipaddr.process(text).toString()
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return !own.some((each) => plain(each.address) === plain(address))
}

/** All that wait for a host and a port share one question, and for its other ports it is asked after the answer. */
function oneQuestion(allows: ProxyOptions['allows']): ProxyOptions['allows'] {
  const hosts = new Map<string, Map<number, Promise<true | string>>>()
  return (host, port) => {
    const waiting = hosts.get(host) ?? new Map<number, Promise<true | string>>()
    hosts.set(host, waiting)
    const asked = waiting.get(port)
    if (asked) return asked
    const answer = Promise.all(waiting.values())
      .then(() => allows(host, port))
      .catch((error: unknown) => `nobody could be asked: ${error instanceof Error ? error.message : String(error)}`)
      .finally(() => {
        waiting.delete(port)
        if (waiting.size === 0) hosts.delete(host)
      })
    waiting.set(port, answer)
    return answer
  }
}
