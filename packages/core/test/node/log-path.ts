import { join } from 'node:path'
import { projectSlug, type SessionPlace, sessionPlace } from '../../src/node/places.js'

export const PROJECT = 'test project'

/** The folder of the project that the tests of the file store use. */
export function projectFolder(home: string): string {
  return join(home, 'projects', projectSlug(PROJECT))
}

export function placeOf(home: string, session: string): SessionPlace {
  return sessionPlace(projectFolder(home), session)
}
