import type { PathGuard } from '../paths/path-guard.js'
import type { Sightings } from './sightings.js'

/** What the file tools of one session share. */
export interface FileToolParts {
  readonly guard: PathGuard | undefined
  readonly sightings: Sightings
  /** For people: what a result has changed. */
  readonly patches: WeakMap<object, string>
}
