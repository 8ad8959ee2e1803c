import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { projectSlug, toFileName } from '@nacre/core/node'
import type { CommandPlace } from './command-place.js'

/** The files of a session on the disk. */
export interface SessionFiles {
  readonly log: string
  readonly blobs: string
}

export function sessionFiles({ data, root }: Pick<CommandPlace, 'data' | 'root'>, session: string): SessionFiles {
  const name = join(data, 'projects', projectSlug(root), toFileName(session))
  return { log: `${name}.jsonl`, blobs: `${name}.blobs` }
}

/** Bytes of the log and of all that is kept beside it. */
export async function sessionBytes({ log, blobs }: SessionFiles): Promise<number> {
  const names = await readdir(blobs).catch(() => [])
  const sizes = await Promise.all([log, ...names.map((name) => join(blobs, name))].map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0
}
