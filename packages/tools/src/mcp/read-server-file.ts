import { readFile } from 'node:fs/promises'
import { NacreError } from '@nacre/core'
import { z } from 'zod'
import { type McpServer, mcpServer } from './mcp-server.js'

const file = z.object({
  mcpServers: z.record(z.string().min(1), mcpServer).default({}),
  approvedMcpServers: z.array(z.string()).default([]),
})

export interface ServerFile {
  readonly servers: Readonly<Record<string, McpServer>>
  /** Servers of projects that the person has approved, as `name#fingerprint`. */
  readonly approved: readonly string[]
}

const EMPTY: ServerFile = { servers: {}, approved: [] }

/** The servers that a JSON file names under `mcpServers`; none where there is no file. A file that can't be read is an error. */
export async function readServerFile(path: string | undefined): Promise<ServerFile> {
  const text = path === undefined ? undefined : await textOf(path)
  if (path === undefined || text === undefined) return EMPTY
  const { success, data, error } = file.safeParse(parsed(path, text))
  if (success) return { servers: data.mcpServers, approved: data.approvedMcpServers }
  const reasons = error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`)
  throw unusable(path, `does not name MCP servers as it should: ${reasons.join('; ')}`)
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unusable(path, `can not be read (${code})`, error)
  }
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
