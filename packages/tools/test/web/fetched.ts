import type { ToolContext, ToolResult } from '@nacre/core'
import { textOf, type WebOptions, webFetchTool } from '../../src/index.js'
import { toolContext } from '../support/tool-context.js'

/** Runs WebFetch once, as one would without an agent. */
export async function fetched(
  url: string,
  options: WebOptions = {},
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  const tool = webFetchTool(options)
  return tool.run(tool.schema.parse({ url }), toolContext('/', context))
}

/** What WebFetch says, or complains of. */
export async function told(url: string, options: WebOptions = {}): Promise<string> {
  try {
    return textOf(await fetched(url, options))
  } catch (error) {
    return `Error: ${(error as Error).message}`
  }
}
