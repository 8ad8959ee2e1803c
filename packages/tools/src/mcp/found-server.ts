import type { McpServer } from './mcp-server.js'

/** A server as it was found, before variables are put in. */
export interface FoundServer {
  readonly name: string
  readonly server: McpServer
  readonly from: 'options' | 'user' | 'project'
  /** The options, or the file that names it. */
  readonly where: string
  /** Stands for the name and all that is said of the server: another command has another one. */
  readonly fingerprint: string
}
