import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FoundServer } from './found-server.js'
import type { McpOptions } from './mcp-options.js'
import type { McpServer } from './mcp-server.js'
import { readServerFile } from './read-server-file.js'

export interface Gathered {
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
    ...foundIn(options.servers ?? {}, 'options', 'the options of mcp()'),
  ]
  const found = [...new Map(all.map((server) => [server.name, server])).values()]
  const approved = new Set(own.approved)
  const verdicts = await Promise.all(found.map((server) => mayStart(server, approved, options)))
  return {
    servers: found.filter((_, index) => verdicts[index]),
    unapproved: found.filter((_, index) => !verdicts[index]),
  }
}

async function mayStart(found: FoundServer, approved: ReadonlySet<string>, { approve }: McpOptions): Promise<boolean> {
  if (found.from !== 'project' || approved.has(approvalOf(found))) return true
  return (await approve?.(found)) ?? false
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
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([name, server, where]))
      .digest('hex')
    return { name, server: from === 'project' ? (untrusted as McpServer) : server, from, where, fingerprint }
  })
}
