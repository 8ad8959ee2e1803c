import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing } from './store-error.js'

const UNFINISHED = '.tmp-'

/** A name in a session's folder under which something may be left half-written. */
export function unfinishedFile(folder: string): string {
  return join(folder, `${UNFINISHED}${randomUUID()}`)
}

/** Removes what was left half-written. Only for the holder of the session: nobody else can be writing there. */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? []
  await Promise.all(
    names.filter((name) => name.startsWith(UNFINISHED)).map((name) => rm(join(folder, name), { force: true })),
  )
}
