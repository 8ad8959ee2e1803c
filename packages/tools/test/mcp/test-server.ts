import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { onTestFinished } from 'vitest'
import type { McpOptions, McpServer } from '../../src/index.js'

export interface ServerSettings {
  readonly tools?: readonly string[]
  readonly descriptions?: Readonly<Record<string, string>>
  readonly instructions?: string
  readonly fails?: true
  readonly isDeaf?: true
  readonly isStubborn?: true
  readonly token?: string
  readonly answersJson?: true
  readonly isOld?: true
}

export interface TestServer {
  readonly server: McpServer
  readonly folder: string
  /** From the next start on, or for HTTP the next session. */
  become(settings: ServerSettings): Promise<void>
  /** Lines that the server has written down. */
  journal(): Promise<readonly string[]>
}

export const TOOLS = [
  'echo',
  'pid',
  'refuse',
  'throw',
  'crash',
  'slow',
  'steps',
  'all_kinds',
  'structured',
  'nothing',
  'environment',
]

const program = (name: string) => fileURLToPath(new URL(`servers/${name}-server.mjs`, import.meta.url))

/** Takes what has to be done when a server is no longer needed. */
export type WhenOver = (work: () => Promise<void>) => void

/** A real server, to be started by whoever is given it. */
export async function stdioServer(
  settings: ServerSettings = {},
  whenOver: WhenOver = onTestFinished,
): Promise<TestServer> {
  const { file, ...rest } = await settingsFile(settings, whenOver)
  return { ...rest, server: { command: process.execPath, args: [program('stdio')], env: { SETTINGS: file } } }
}

export interface HttpTestServer extends TestServer {
  /** Kills the server and starts it anew at the same address. */
  restart(): Promise<void>
  kill(): Promise<void>
}

/** A real server over streamable HTTP that runs until the test is over. */
export async function httpServer(
  settings: ServerSettings = {},
  whenOver: WhenOver = onTestFinished,
): Promise<HttpTestServer> {
  const { file, ...rest } = await settingsFile(settings, whenOver)
  let running = await runHttp(file)
  whenOver(() => running.kill())
  const server: McpServer = {
    url: `http://127.0.0.1:${running.port}/mcp`,
    ...(settings.token && { headers: { Authorization: `Bearer ${settings.token}` } }),
  }
  return {
    ...rest,
    server,
    kill: () => running.kill(),
    async restart() {
      await running.kill()
      running = await runHttp(file, running.port)
    },
  }
}

async function runHttp(file: string, port = '0') {
  const child = execa(process.execPath, [program('http')], { env: { SETTINGS: file, PORT: port }, reject: false })
  const [first] = (await new Promise((resolve) => child.stdout.once('data', (data) => resolve([data])))) as [Buffer]
  return {
    port: String(first).trim(),
    async kill() {
      child.kill('SIGKILL')
      await child
    },
  }
}

async function settingsFile(first: ServerSettings, whenOver: WhenOver) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nacre-mcp-')))
  whenOver(() => rm(folder, { recursive: true, force: true }))
  const [file, journalFile] = [join(folder, 'settings.json'), join(folder, 'journal.txt')]
  const become = (settings: ServerSettings) =>
    writeFile(file, JSON.stringify({ tools: TOOLS, journal: journalFile, ...settings }))
  await become(first)
  const journal = async () => (await readFile(journalFile, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return { file, folder, become, journal }
}

/** Options for servers of a test: nothing of the machine, and no waits. */
export function only(servers: Readonly<Record<string, TestServer>>, more: McpOptions = {}): McpOptions {
  const named = Object.entries(servers).map(([name, { server }]) => [name, server])
  return { servers: Object.fromEntries(named), files: { user: false, project: false }, wait: () => undefined, ...more }
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
