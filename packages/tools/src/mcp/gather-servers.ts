import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Awaitable, NacreError } from '@nacre/core'
import { readSmallFile } from '@nacre/core/node'
import { z } from 'zod'
import { hashOf } from '../hash.js'
import type { Sandbox } from '../sandbox/create-sandbox.js'

/** What a server needs of a sandbox. */
export type ServerSandbox = Pick<Sandbox, 'status' | 'enter' | 'use'>

export interface McpOptions {
  readonly servers?: Readonly<Record<string, McpServer>>
  /** Where servers are named besides: `~/.nacre/settings.json` and `.mcp.json` in the working directory unless told. */
  readonly files?: { readonly user?: string | false; readonly project?: string | false }
  /** Asked about each server of the project that the person's settings do not approve. Without it, none of them starts. */
  approve?(server: FoundServer): Awaitable<boolean>
  /** The share of the model's window above which tools are found by ToolSearch; 0.1 unless told, 0 always, 1 never. */
  readonly deferAbove?: number
  /** Milliseconds for a server to start and list its tools; 30,000 unless told. */
  readonly startTimeout?: number
  /** Milliseconds for a call without any sign of progress; 120,000 unless told. */
  readonly callTimeout?: number
  /** Stands for `${NAME}` in files and options; that of the process unless told. */
  readonly environment?: Environment
  /** For servers that are to run in one. Without it these do not start. */
  readonly sandbox?: ServerSandbox
  /** Waits before a server is connected again. */
  wait?(milliseconds: number, signal: AbortSignal): Awaitable<void>
}

/** A server as it was found, before variables are put in. */
export interface FoundServer {
  readonly name: string
  readonly server: McpServer
  readonly from: 'options' | 'user' | 'project'
  /** The options, or the file that names it. */
  readonly where: string
  /**
   * Stands for the name, all that is said of the server and the file that says it: another command has another one,
   * and so has the same command in another project, where it may run another program. Whole, since whoever writes both
   * finds two commands with the same short one.
   */
  readonly fingerprint: string
}

const texts = z.record(z.string(), z.string())

const local = z.object({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().optional(),
  /** Its hints about tools that only read are believed. Ignored in a file of the project. */
  trusted: z.boolean().optional(),
  /** It is able to write in the workspace, and not outside of it; it sees no keys but those in `env`. */
  sandbox: z.literal('work', { error: 'say "work", or leave it out' }).optional(),
})

const remote = z.object({
  type: z.enum(['http', 'sse']).optional(),
  url: z.string().min(1),
  headers: texts.optional(),
  trusted: z.boolean().optional(),
  sandbox: z.never({ error: 'only a server that is a command runs in a sandbox' }).optional(),
})

/** How a server is reached: a command that talks over its standard streams, or an address. */
const mcpServer = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    if ('command' in value === 'url' in value) context.addIssue({ code: 'custom', message: 'give a command or a url' })
  })
  .transform((value, context) => {
    const { success, data, error } = ('command' in value ? local : remote).safeParse(value)
    if (success) return data
    for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path: [...path], message })
    return z.NEVER
  })

export type LocalServer = z.output<typeof local>
export type RemoteServer = z.output<typeof remote>
export type McpServer = LocalServer | RemoteServer

export function isLocal(server: McpServer): server is LocalServer {
  return 'command' in server
}

interface Gathered {
  readonly servers: readonly FoundServer[]
  /** Servers of the project that nobody has approved. They are not started. */
  readonly unapproved: readonly FoundServer[]
}

/** The servers of a session. Of one name the options win over the person's settings, and those over the project. */
export async function gatherServers(options: McpOptions, cwd: string): Promise<Gathered> {
  const { user = join(homedir(), '.nacre', 'settings.json'), project = '.mcp.json' } = options.files ?? {}
  const projectPath = project === false ? undefined : resolve(cwd, project)
  const [own, shared] = await Promise.all([
    readServerFile(user === false ? undefined : resolve(cwd, user)),
    readServerFile(projectPath),
  ])
  const all = [
    ...foundIn(shared.servers, 'project', projectPath ?? ''),
    ...foundIn(own.servers, 'user', String(user)),
    ...foundIn(checkedOptions(options.servers ?? {}), 'options', OPTIONS),
  ]
  const found = [...new Map(all.map((server) => [server.name, server])).values()]
  const approved = new Set(own.approved)
  const verdicts = await Promise.all(found.map((server) => mayStart(server, approved, options)))
  return {
    servers: found.filter((_, index) => verdicts[index]),
    unapproved: found.filter((_, index) => !verdicts[index]),
  }
}

const OPTIONS = 'the options of mcp()'

/** A wrong word must not be a server without a sandbox. What else is wrong with options shows when the server starts. */
function checkedOptions(servers: NonNullable<McpOptions['servers']>): NonNullable<McpOptions['servers']> {
  for (const [name, server] of Object.entries(servers)) {
    const { sandbox } = (isLocal(server) ? local : remote).shape
    const { success, error } = sandbox.safeParse(server.sandbox)
    if (success) continue
    throw new NacreError('INVALID_SETTINGS', `${OPTIONS}: ${reasonsOf(error, ['servers', name, 'sandbox'])}.`)
  }
  return servers
}

async function mayStart(found: FoundServer, approved: ReadonlySet<string>, { approve }: McpOptions): Promise<boolean> {
  if (found.from !== 'project' || approved.has(approvalOf(found))) return true
  // A yes and nothing else: an answer in words may be a no.
  return (await approve?.(found)) === true
}

/** What a person writes under `approvedMcpServers` to approve a server of a project, until it changes. */
export function approvalOf({ name, fingerprint }: FoundServer): string {
  return `${name}#${fingerprint}`
}

function foundIn(
  servers: Readonly<Record<string, McpServer>>,
  from: FoundServer['from'],
  where: string,
): FoundServer[] {
  return Object.entries(servers).map(([name, server]) => {
    const { trusted: _, ...untrusted } = server
    const fingerprint = hashOf(JSON.stringify([name, server, where]))
    return { name, server: from === 'project' ? (untrusted as McpServer) : server, from, where, fingerprint }
  })
}

const serverFile = z.object({
  mcpServers: z.record(z.string().min(1), mcpServer).default({}),
  approvedMcpServers: z.array(z.string()).default([]),
})

interface ServerFile {
  readonly servers: Readonly<Record<string, McpServer>>
  /** Servers of projects that the person has approved, as `name#fingerprint`. */
  readonly approved: readonly string[]
}

const EMPTY: ServerFile = { servers: {}, approved: [] }

/** The servers that a JSON file names under `mcpServers`; none where there is no file. A file that can't be read is an error. */
async function readServerFile(path: string | undefined): Promise<ServerFile> {
  const text = path === undefined ? undefined : await readText(path)
  if (path === undefined || text === undefined) return EMPTY
  const { success, data, error } = serverFile.safeParse(parsed(path, text))
  if (success) return { servers: data.mcpServers, approved: data.approvedMcpServers }
  throw unusable(path, `does not name MCP servers as it should: ${reasonsOf(error)}`)
}

function reasonsOf({ issues }: z.ZodError, where: readonly string[] = []): string {
  return issues.map(({ path, message }) => `${[...where, ...path].join('.') || 'the whole'}: ${message}`).join('; ')
}

async function readText(path: string): Promise<string | undefined> {
  const bytes = await readSmallFile(path).catch((error: Error) => {
    throw unusable(path, `can not be read (${error.message})`, error)
  })
  return bytes?.toString()
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unusable(path, `is no JSON: ${(error as Error).message}`, error)
  }
}

function unusable(path: string, reason: string, cause?: unknown): NacreError {
  return new NacreError('INVALID_SETTINGS', `${path} ${reason}. Mend it, or move it away.`, { cause })
}

type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Puts the environment in for `${NAME}` and `${NAME:-default}` in every text of a value. Throws where a name is unknown. */
export function expandVariables<T>(value: T, environment: Environment, where: string): T {
  if (typeof value === 'string') return expandText(value, environment, where) as T
  if (Array.isArray(value)) return value.map((each) => expandVariables(each, environment, where)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, expandVariables(each, environment, where)])
  return Object.fromEntries(entries) as T
}

function expandText(text: string, environment: Environment, where: string): string {
  return text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const found = fallback === undefined ? environment[name] : environment[name] || fallback
    if (found !== undefined) return found
    const message = `${where}: the variable ${name} is not set. Set it, or write \${${name}:-default}.`
    throw new NacreError('INVALID_SETTINGS', message)
  })
}
