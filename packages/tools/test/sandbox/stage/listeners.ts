import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Who listens outside of the cage and counts those who come. */
export interface Listeners {
  readonly port: number
  readonly port6: number
  readonly udp: number
  /** What came since this was asked the last time, in sentences. */
  reached(): Promise<string[]>
  close(): Promise<void>
}

/** Listens on loopback and on sockets in the file system. */
export async function listen(sockets: readonly string[], abstract: string): Promise<Listeners> {
  const came: string[] = []
  const closing: (() => void)[] = []
  const server = async (what: string, at: { host: string; port: number } | { path: string }) => {
    const made = createServer((socket) => {
      came.push(`${what} was reached`)
      socket.on('error', () => undefined).destroy()
    })
    made.listen(at)
    await once(made, 'listening')
    closing.push(() => made.close())
    return made.address() as AddressInfo
  }
  const { port } = await server('a port of 127.0.0.1', { host: '127.0.0.1', port: 0 })
  const port6 = await server('a port of ::1', { host: '::1', port: 0 }).then(
    (address) => address.port,
    () => port,
  )
  for (const path of sockets) await server(`the socket ${path}`, { path })
  // As node spells a socket without a name in the file system: other programs see zeros behind it.
  await server('a socket without a name', { path: `\0${abstract}` })
  const datagrams = createSocket('udp4', () => came.push('a datagram came to 127.0.0.1'))
  datagrams.bind(0, '127.0.0.1')
  await once(datagrams, 'listening')
  closing.push(() => datagrams.close())
  return {
    port,
    port6,
    udp: datagrams.address().port,
    async reached() {
      // What the system has accepted already is told in the next rounds of the event loop.
      for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve))
      return [...new Set(came.splice(0))]
    },
    async close() {
      for (const each of closing) each()
    },
  }
}

/** What the program beside the cage is given. */
export interface BystanderOptions {
  readonly abstract: string
  readonly abstractDatagrams: string
  readonly datagrams: string
  readonly pipe: string
  readonly held: string
  readonly key: string
  readonly memoryKey: number
  readonly keyName: string
  readonly token: string
}

/** A program beside the cage. */
export interface Bystander {
  readonly pid: number
  readonly terminal: string
  /** What was done to it since this was asked the last time, in sentences. */
  reached(): Promise<string[]>
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('bystander.pl', import.meta.url))

/** Starts the program beside the cage. */
export async function bystander(options: BystanderOptions): Promise<Bystander> {
  const { abstract, abstractDatagrams, datagrams, pipe, held, key, memoryKey, keyName, token } = options
  const args = [PROGRAM, abstract, abstractDatagrams, datagrams, pipe, held, key, `${memoryKey}`, keyName]
  const child = spawn('perl', args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, BYSTANDER_TOKEN: token },
    detached: true,
  })
  const ended = new Promise<undefined>((resolve) => child.once('exit', () => resolve(undefined)))
  child.stdin?.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const line = () => Promise.race([lines.next().then(({ value }) => value as string | undefined), ended])
  const terminal = (await line())?.replace('ready ', '') ?? ''
  const pid = child.pid ?? 0
  const settings = settingsOf(pid)
  let counted: Record<string, number> = {}
  return {
    pid,
    terminal,
    async reached() {
      if (settingsOf(pid).state === 'T') process.kill(pid, 'SIGCONT')
      child.stdin?.write('status\n')
      const answer = await line()
      if (!answer) return ['the program beside the cage was killed']
      const now = JSON.parse(answer) as Record<string, number>
      const more = Object.keys(now).filter((name) => (now[name] ?? 0) > (counted[name] ?? 0))
      counted = { ...now, shared: 0, keyring: 0 }
      const found = more.map((name) => `the program beside the cage was reached by ${name}`)
      if (settingsOf(pid).rest !== settings.rest) found.push('the program beside the cage has other settings')
      return found
    },
    close: () => end(child, ended),
  }
}

async function end(child: ChildProcess, ended: Promise<undefined>): Promise<void> {
  child.stdin?.end()
  await ended
}

/** Its state, and its priority, processors, limits and worth to the killer of processes. */
function settingsOf(pid: number): { state: string | undefined; rest: string } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const processors = readFileSync(`/proc/${pid}/status`, 'utf8').match(/Cpus_allowed:.*/)?.[0]
    const rest = [fields[2], fields[3], fields[15], fields[16], processors]
    for (const file of ['oom_score_adj', 'limits', 'comm']) rest.push(readFileSync(`/proc/${pid}/${file}`, 'utf8'))
    return { state: fields[0], rest: rest.join(' ') }
  } catch {
    return { state: undefined, rest: '' }
  }
}
