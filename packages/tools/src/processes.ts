import { readdirSync, readFileSync } from 'node:fs'

/** A process as the kernel lists it. `started` tells it from a later one with the same id. */
export interface ListedProcess {
  readonly id: number
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly started: number
  /** Whether it was told to stand still, and does. */
  readonly isStopped: boolean
}

/** Every process that runs, from Linux' /proc. Those that have ended and were not collected do not count. */
export function listProcesses(): readonly ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (listedProcess(Number(name)) ?? []) : []))
}

/** Places behind the fields that come first. */
const THREADS = 13
const STARTED = 15

/** One process, if it runs. */
export function listedProcess(id: number): ListedProcess | undefined {
  const stat = readOf(id, 'stat')
  // The name of the program stands in parentheses and may hold anything, parentheses too.
  const [state, parent, group, session, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!state || state === 'X' || (state === 'Z' && Number(rest[THREADS]) < 2)) return undefined
  return {
    id,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(rest[STARTED]),
    isStopped: state === 'Z' ? areThreadsStopped(id) : /[Tt]/.test(state),
  }
}

/** Of a process whose first thread has ended: it is listed as if all of it had. */
function areThreadsStopped(id: number): boolean {
  try {
    return readdirSync(`/proc/${id}/task`).every((thread) =>
      /^\d+ \(.*\) [TtZX] /s.test(readOf(id, `task/${thread}/stat`)),
    )
  } catch {
    return true
  }
}

/** All that was started by some, and by those in turn. */
export function descendants(all: readonly ListedProcess[], roots: ReadonlyMap<number, unknown>): ListedProcess[] {
  const found = new Set(roots.keys())
  const added: ListedProcess[] = []
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const one of all) {
      if (found.has(one.id) || !found.has(one.parent)) continue
      found.add(one.id)
      added.push(one)
    }
  }
  return added
}

/** Empty for a process that has ended meanwhile or belongs to somebody else. */
export function readOf(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** Tells whether there was anyone to hear it. */
export function send(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}
