import { globTool } from './glob-tool.js'
import { grepTool } from './grep-tool.js'
import type { SearchOptions } from './search-options.js'

/** Grep and Glob, to be used with an agent or alone. */
export function searchTools(options: SearchOptions = {}): SearchTools {
  return { grep: grepTool(options), glob: globTool(options) }
}

export interface SearchTools {
  readonly grep: ReturnType<typeof grepTool>
  readonly glob: ReturnType<typeof globTool>
}
