import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Id } from '../types/log.js'
import { makePrivateFolder, unwritable } from './write-file.js'

/** Where the machine, and a person's settings, say that data belongs. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** `NACRE_HOME`, or else the place that is customary on the platform. */
export function dataFolder(surroundings: Surroundings = here()): string {
  const { env, platform, home } = surroundings
  if (env.NACRE_HOME) return env.NACRE_HOME
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'nacre')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'nacre')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'nacre')
}

function here(): Surroundings {
  return { env: process.env, platform: process.platform, home: homedir() }
}

/** A file name for any id, one for one. Dots are coded too, so no id can climb out of its folder. */
export function toFileName(id: string): string {
  return encodeURIComponent(id).replace(/[.!~*'()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The id that a file name stands for; `undefined` if it was not made here. */
export function fromFileName(name: string): string | undefined {
  try {
    const id = decodeURIComponent(name)
    return toFileName(id) === name ? id : undefined
  } catch {
    return undefined
  }
}

const READABLE = 60

/** A folder name for a project: readable by its end, told apart by a hash of the whole. */
export function projectSlug(project: string): string {
  const readable = project
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(-READABLE)
    .replace(/^-|-$/g, '')
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 8)
  return `${readable || 'project'}-${hash}`
}

/** Where the parts of a session lie in its project's folder. */
export interface SessionPlace {
  readonly log: string
  readonly blobs: string
  readonly lock: string
}

export function sessionPlace(folder: string, session: Id): SessionPlace {
  const name = toFileName(session)
  return {
    log: join(folder, `${name}.jsonl`),
    blobs: join(folder, `${name}.blobs`),
    lock: join(folder, 'locks', `session-${name}`),
  }
}

export function leasePlace(folder: string, name: string): string {
  return join(folder, 'locks', `lease-${toFileName(name)}`)
}

/** Makes a project's folder, for nobody but its owner to read. */
export async function makeFolder(folder: string): Promise<void> {
  const locks = join(folder, 'locks')
  await makePrivateFolder(locks).catch((error: unknown) => {
    throw unwritable(error, locks)
  })
}
