import type { McpServer } from './mcp-server.js'

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
