import type { SessionSummary } from '@nacre/core'
import type { FileStore } from '@nacre/core/node'
import { dataPlace } from '../session/data-place.js'
import { findSession } from '../session/find-session.js'
import { projectStore } from '../session/project-store.js'
import { findProjectRoot } from '../settings/find-project-root.js'
import type { Terminal } from '../terminal.js'

/** Where a command finds what it is about. */
export interface CommandPlace {
  readonly root: string
  readonly data: string
  readonly store: FileStore
  /** The session that a text means: an id or its beginning, words of its title, or `latest`. */
  find(text: string): Promise<SessionSummary>
}

export function commandPlace(terminal: Terminal): CommandPlace {
  const root = findProjectRoot(terminal.cwd, terminal.home)
  const store = projectStore(terminal, root)
  return { root, data: dataPlace(terminal), store, find: (text) => findSession(store, text) }
}
