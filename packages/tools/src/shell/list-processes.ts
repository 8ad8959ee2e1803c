import { readdirSync, readFileSync } from 'node:fs'

/** A process as the kernel lists it. `started` tells it from a later one with the same id. */
export interface ListedProcess {
  readonly id: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly started: number
}

/** Every process that runs, from Linux' /proc. Those that have ended and were not collected do not count. */
export function listProcesses(): readonly ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (listedProcess(Number(name)) ?? []) : []))
}

/** Its place behind the fields that come first. */
const STARTED = 15

/** One process, if it runs. */
export function listedProcess(id: number): ListedProcess | undefined {
  const stat = readOf(id, 'stat')
  // The name of the program stands in parentheses and may hold anything, parentheses too.
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!state || state === 'Z' || state === 'X') return undefined
  return {
    id,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(rest[STARTED]),
  }
}

/** Whether a process began with this in its environment; no where that may not be read. */
export function hasInEnvironment(id: number, text: string): boolean {
  return readOf(id, 'environ').includes(text)
}

/** The words a process was started with. */
export function commandLine(id: number): string {
  return readOf(id, 'cmdline').replaceAll('\0', ' ').trim()
}

/** Empty for a process that has ended meanwhile or belongs to somebody else. */
function readOf(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
