import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Removes what a killed process has left half-written beside a file. Only for the holder of the session: nobody else writes there. */
export async function sweepUnfinished(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
}
