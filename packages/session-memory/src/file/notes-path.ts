import { join, resolve } from 'node:path'
import type { Id } from '@nacre/core'
import { dataFolder, projectSlug, toFileName } from '@nacre/core/node'

/** Which notes are meant. */
export interface NotesPlace {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  /** The project of the session, as its store has it; the current folder if none is named. */
  readonly project?: string
  readonly session: Id
}

/** The file that holds the notes of a session. */
export function notesPath({ home = dataFolder(), project = resolve('.'), session }: NotesPlace): string {
  return join(home, 'projects', projectSlug(project), 'session-memory', `${toFileName(session)}.md`)
}
