import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Id } from '@nacre/core'
import type { MemoryFolder } from '../folders/memory-folder.js'
import { readJson, writeState } from '../folders/state-files.js'
import type { Logs } from '../logs/logs.js'
import { isPaused } from '../person/open-memories.js'
import { lastConsolidated } from '../repository/consolidate-lock.js'
import type { DreamContext } from '../settings/context.js'
import { readHistory } from './status.js'

/** Whether a dream is due, or why not: nobody has to guess what it waits for. */
export type Gate = { readonly isOpen: true } | { readonly isOpen: false; readonly reason: string }

const HOUR = 3_600_000
const SCAN_AGAIN = 600_000
const SCANNED = 'scanned.json'
/** Dreams that may fail in a row. */
const FAILURES = 3

const closed = (reason: string): Gate => ({ isOpen: false, reason })

/**
 * Asks the gates, cheapest first. The lock is the last one, and taken by who begins. Who only looks leaves no trace, and is
 * told what stands behind the count of sessions.
 */
export async function askGates(dream: DreamContext, folder: MemoryFolder, isLook = false): Promise<Gate> {
  const { settings, now } = dream
  if (!dream.flag('consolidate')) return closed('dreams are switched off (flag dream.consolidate)')
  const last = await lastConsolidated(folder.path)
  const waited = now() - last
  const { hours, sessions } = settings.due
  if (waited < hours * HOUR)
    return closed(`the last one was ${inHours(waited)} ago, and the next is due after ${hours} hours`)
  const scanned = await readJson<{ readonly time: number }>(folder.path, SCANNED, { time: 0 })
  if (!isLook && now() - scanned.time < SCAN_AGAIN) return closed('the sessions were counted less than 10 minutes ago')
  if (!isLook) await writeState(folder.path, SCANNED, { time: now() })
  const count = await sessionsSince(dream.logs, folder, last, dream.sessionId)
  if (count < sessions) return closed(`${count} of ${sessions} sessions have been touched since the last one`)
  return askBreakers(dream, folder)
}

/** What stops dreams also where a person has not asked for one by hand. */
export async function askBreakers({ folders, spending, settings }: DreamContext, folder: MemoryFolder): Promise<Gate> {
  if (await isPaused(folders.project)) return closed('memory is paused; nacre memory pause --off goes on with it')
  const { failures } = await readHistory(folder)
  if (failures >= FAILURES)
    return closed(`${failures} dreams in a row have failed; one that is begun by hand tries again`)
  const spent = await spending.today()
  if (spent >= settings.dailyDollars) {
    return closed(`memory has cost $${spent.toFixed(2)} today, and may cost $${settings.dailyDollars} a day`)
  }
  return { isOpen: true }
}

async function sessionsSince(logs: Logs, folder: MemoryFolder, since: number, own: Id): Promise<number> {
  if (folder.scope === 'person') return logsSince(folder, since, own)
  let count = 0
  for await (const { id, time } of logs.sessions()) if (id !== own && time > since) count += 1
  return count
}

/** Sessions of all projects, by the times of their files: what belongs to the person comes from any of them. */
async function logsSince({ path }: MemoryFolder, since: number, own: Id): Promise<number> {
  const projects = join(dirname(path), 'projects')
  const names = await readdir(projects).catch(() => [])
  const files = await Promise.all(
    names.map(async (name) => {
      const inside = await readdir(join(projects, name)).catch(() => [])
      return inside
        .filter((file) => file.endsWith('.jsonl') && !file.startsWith(`${own}.`))
        .map((file) => join(projects, name, file))
    }),
  )
  const times = await Promise.all(
    files.flat().map((file) =>
      stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  )
  return times.filter((time) => time > since).length
}

function inHours(milliseconds: number): string {
  const hours = milliseconds / HOUR
  return hours < 1 ? `${Math.max(0, Math.round(hours * 60))} minutes` : `${Math.round(hours)} hours`
}
