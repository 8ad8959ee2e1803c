import type { PathGuard } from '../paths/path-guard.js'

export interface SearchOptions {
  /** The ripgrep to run; `false` to search in JavaScript. The one that is found unless told. */
  readonly ripgrep?: string | false
  /** Asked again for the place that is really searched. */
  readonly guard?: PathGuard
  /** Bytes of matches that are collected and counted; above it a result only says that there are more. 8 MB unless told. */
  readonly budget?: number
}
