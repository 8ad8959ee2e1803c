import { type SearchOptions, searchTools, textOf } from '../../src/index.js'
import { toolContext } from '../support/tool-context.js'

/** The text that Grep gives, or its complaint. */
export function grep(cwd: string, input: object, options: SearchOptions = {}): Promise<string> {
  const tool = searchTools(options).grep
  return told(async () => textOf(await tool.run(tool.schema.parse(input), toolContext(cwd))))
}

/** The text that Glob gives, or its complaint. */
export function glob(cwd: string, input: object, options: SearchOptions = {}): Promise<string> {
  const tool = searchTools(options).glob
  return told(async () => textOf(await tool.run(tool.schema.parse(input), toolContext(cwd))))
}

/** Both ways to search: they have to agree. */
export const WAYS = [
  { way: 'ripgrep', options: {} },
  { way: 'JavaScript', options: { ripgrep: false } },
] as const

async function told(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    return `Error: ${(error as Error).message}`
  }
}
