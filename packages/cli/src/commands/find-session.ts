import { join } from 'node:path'
import { type Edit, type Entry, NacreError, type SessionSummary } from '@nacre/core'
import { type FileStore, projectSlug, toFileName } from '@nacre/core/node'
import { dataPlace, findSession, projectStore } from '../session/project-store.js'
import { findProjectRoot } from '../settings/load-settings.js'
import type { Terminal } from '../terminal/terminal.js'

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

/** The files of a session on the disk. */
interface SessionFiles {
  readonly log: string
  readonly blobs: string
}

export function sessionFiles({ data, root }: Pick<CommandPlace, 'data' | 'root'>, session: string): SessionFiles {
  const name = join(data, 'projects', projectSlug(root), toFileName(session))
  return { log: `${name}.jsonl`, blobs: `${name}.blobs` }
}

/** The edit that a text means: by its id or the beginning of it, the last one without a text. */
export function findEdit(entries: readonly Entry[], text: string | undefined): Edit {
  const edits = entries.filter((entry) => entry.kind === 'edit')
  if (edits.length === 0) throw new NacreError('NOT_FOUND', 'The session has no edits: its view is all that was said.')
  if (text === undefined) return edits.at(-1) as Edit
  const exact = edits.find(({ id }) => id === text)
  const found = exact ? [exact] : edits.filter(({ id }) => id.startsWith(text))
  if (found.length === 1) return found[0] as Edit
  const what = found.length === 0 ? `There is no edit '${text}'` : `'${text}' may be any of ${found.length} edits`
  const known = (found.length === 0 ? edits.slice(-8) : found).map(({ id, reason }) => `  ${id}  ${reason}`)
  throw new NacreError('NOT_FOUND', `${what}. Edits:\n${known.join('\n')}`)
}
