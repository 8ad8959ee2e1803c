import type { BytePath } from './byte-path.js'
import type { FileFilter } from './file-filter.js'

/** What Glob asks, of ripgrep or of the walk in JavaScript. */
export interface GlobQuestion {
  /** A folder without links in its path. */
  readonly root: string
  readonly filter: FileFilter
  readonly limit: number
}

export interface GlobAnswer {
  /** Those changed last come first; of the same time, in the order of paths. */
  readonly paths: readonly BytePath[]
  readonly total: number
}
