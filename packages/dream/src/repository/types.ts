import type { Awaitable, Id } from '@nacre/core'

/** Who changed something: a person by a command or by hand, the agent by its tool, or one of the layers. */
export type Author = 'person' | 'hand' | 'agent' | 'extraction' | 'dream' | 'import' | 'undo'

/** Lossless and reversible changes are made and told; the rest a person was asked about. */
export type Consent = 'lossless' | 'reversible' | 'asked'

/** Why a commit was made. All of it stands in its message, as trailers, so that any git client shows it. */
export interface Cause {
  readonly by: Author
  /** One line that says what was done. */
  readonly summary: string
  /** A line for each change, with its reason. */
  readonly details?: readonly string[]
  readonly session?: Id
  readonly dollars?: number
  readonly consent?: Consent
}

/** Files by their path from the folder, with `/`. */
export type Files = ReadonlyMap<string, string>

/** What becomes of files; `undefined` takes one away. */
export type FileChanges = ReadonlyMap<string, string | undefined>

/** The folder at one commit. */
export interface Snapshot {
  readonly commit: string
  readonly files: Files
}

export interface Commit {
  readonly id: string
  /** Milliseconds. */
  readonly time: number
  readonly cause: Cause
}

/** A file before and after a commit. */
export interface FileDiff {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

/** A line of a file, and the commit that brought it. */
export interface BlamedLine {
  readonly text: string
  readonly commit: Commit
}

/** What is taken out of the history: files by their paths, and in all other files and messages the lines that hold a text. */
export interface Purged {
  readonly paths: readonly string[]
  readonly texts: readonly string[]
}

/** A folder of text files that is an ordinary git repository. Every change is one commit, whole or not at all. */
export interface Repository {
  readonly path: string
  /** The files as they are now, without a lock and without a commit: what a person has just saved is in it. */
  files(): Promise<Files>
  /** Commits what was edited by hand, as such, and gives what there is then. */
  snapshot(): Promise<Snapshot>
  /**
   * Makes one change. `make` sees the newest state, hand edits included, and nobody changes it meanwhile; without an
   * answer nothing happens. It is called again when a person saves one of the files meanwhile, and may read the
   * repository but not change it. When `change` resolves, the change survives a kill.
   */
  change(cause: Cause, make: (now: Snapshot) => Awaitable<FileChanges | undefined>): Promise<Commit | undefined>
  /** Newest first; with a path only those that touched it. */
  log(options?: { readonly path?: string; readonly limit?: number }): Promise<readonly Commit[]>
  /** A commit by its id or its beginning; throws NOT_FOUND with words for a person. */
  find(id: string): Promise<Commit>
  diff(commit: string): Promise<readonly FileDiff[]>
  /** All files at a commit. */
  at(commit: string): Promise<Files>
  /** Takes one commit back by another. Throws INVALID_REQUEST naming the files that were changed since. */
  undo(commit: string): Promise<Commit>
  blame(path: string): Promise<readonly BlamedLine[]>
  /** Rewrites the history without what is purged, and removes its objects. Commit ids change. */
  purge(purged: Purged): Promise<void>
}
