import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isStale, type LockSenses, lockHolder } from './lock-holder.js'
import { ignoreMissing } from './store-error.js'

/** Removes what takers of this lock had prepared when they were killed. */
export async function sweepLocks(path: string, senses: LockSenses): Promise<void> {
  const prefix = `${basename(path)}.`
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue
    const prepared = join(dirname(path), name)
    const stats = await stat(prepared).catch(ignoreMissing)
    if (stats === undefined) continue
    const holder = await lockHolder(prepared)
    // Without a file in it nobody can be asked: then the folder's own age counts.
    const maker = holder ?? { token: '', pid: 0, place: '', started: 0, heartbeat: stats.mtimeMs }
    if (isStale(maker, senses)) await rm(prepared, { recursive: true, force: true })
  }
}
