import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isProcessAlive } from '@nacre/core/node'
import { boxOwner, lockFolder } from './box-file.js'

/** Another member of the team, and whether a live process holds its box now. */
export interface Member {
  readonly name: string
  readonly isHere: boolean
}

/** The names of those who have a box, without one's own, sorted. */
export async function memberNames(team: string, own: string): Promise<string[]> {
  const entries = await readdir(team, { withFileTypes: true })
  const names = entries.map((entry) => (entry.isDirectory() ? boxOwner(entry.name) : undefined))
  return names.filter((name) => name !== undefined && name !== own).toSorted() as string[]
}

/** Those who have a box, without oneself, sorted by name. */
export async function listMembers(team: string, own: string, now: () => number): Promise<Member[]> {
  const mine = await readHolder(lockFolder(team, own))
  const names = await memberNames(team, own)
  return Promise.all(
    names.map(async (name) => ({ name, isHere: isLive(await readHolder(lockFolder(team, name)), mine?.place, now()) })),
  )
}

/** What the file of a lock says, and when it was last beaten. */
interface Holder {
  readonly pid: number
  readonly place: string
  readonly beaten: number
}

const SILENT = 60_000

/** By the measure of the lock itself: a process elsewhere can't be asked, and one that is silent for a minute counts as gone. */
function isLive(holder: Holder | undefined, here: string | undefined, time: number): boolean {
  if (holder === undefined || time - holder.beaten > SILENT) return false
  return holder.place !== here || isProcessAlive(holder.pid)
}

/**
 * Who holds a lock of core, read from the one file in its folder. To ask by taking it would refuse its member, if that
 * one comes at the same moment.
 */
async function readHolder(lock: string): Promise<Holder | undefined> {
  try {
    const [token = ''] = await readdir(lock)
    const path = join(lock, token)
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)])
    const { pid, place } = JSON.parse(text) as Record<string, unknown>
    return { pid: Number(pid), place: String(place), beaten: mtimeMs }
  } catch {
    // Not there, or it changes hands just now.
    return undefined
  }
}
