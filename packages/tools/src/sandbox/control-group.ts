import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, readlink, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isProcessAlive } from '@nacre/core/node'

/** A group of the kernel's that bounds all processes in it together. */
export interface ControlGroup {
  /** The file that a process joins by: it writes a zero. */
  readonly entrance: string
  readonly name: string
  /** Whether memory is bounded as well; else only processes are. */
  readonly boundsMemory: boolean
  /** Ends what still runs in it, and removes it. */
  close(): Promise<void>
}

export interface ControlGroupOptions {
  readonly processes: number
  /** In bytes. */
  readonly memory: number
  /** Where the kernel shows its groups. */
  readonly root?: string
  /** Whether processes can really join it. */
  accepts(group: ControlGroup): Promise<boolean>
}

/**
 * Makes a group as near to the one that we are in as may be, so that the bounds of whoever has started us go on to hold:
 * in it, else beside it, and so on upwards. Of the older groups, version 1, only processes are bounded: there each kind of
 * bound has a tree of its own, and others than we count memory by theirs. `undefined` where none can be made.
 */
export async function controlGroup(options: ControlGroupOptions): Promise<ControlGroup | undefined> {
  const own = await ownGroup(options.root ?? '/sys/fs/cgroup')
  if (!own) return undefined
  const prefix = `nacre-${await namespaceOfProcesses()}-`
  for (const parent of upwards(own.tree, own.folder)) {
    await removeLeftBehind(parent, prefix)
    const group = await makeGroup(join(parent, `${prefix}${process.pid}-${randomUUID().slice(0, 8)}`), own, options)
    if (!group) continue
    if (await options.accepts(group)) return group
    await group.close()
  }
  return undefined
}

interface OwnGroup {
  /** The uppermost folder. */
  readonly tree: string
  readonly folder: string
  readonly version: 1 | 2
}

async function ownGroup(root: string): Promise<OwnGroup | undefined> {
  const lines = (await textOf('/proc/self/cgroup')).split('\n').map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
  const pathOf = (isIt: (kinds: readonly string[]) => boolean) =>
    lines.find((line) => line && isIt((line[1] ?? '').split(',')))?.[2]
  const old = pathOf((kinds) => kinds.includes('pids'))
  if (old !== undefined) return { tree: join(root, 'pids'), folder: join(root, 'pids', old), version: 1 }
  const path = pathOf((kinds) => kinds.length === 1 && kinds[0] === '')
  const kinds = await textOf(join(root, 'cgroup.controllers'))
  return path !== undefined && /\bpids\b/.test(kinds) ? { tree: root, folder: join(root, path), version: 2 } : undefined
}

/** A name has it, since the ids of processes mean something in it only. */
async function namespaceOfProcesses(): Promise<string> {
  return /\d+/.exec(await readlink('/proc/self/ns/pid').catch(() => ''))?.[0] ?? '0'
}

function upwards(tree: string, folder: string): readonly string[] {
  if (folder !== tree && relative(tree, folder).startsWith('..')) return [tree]
  return folder === tree ? [tree] : [folder, ...upwards(tree, dirname(folder))]
}

/** What a program has left that was killed. Only its name says whose it is, and only in the same namespace. */
async function removeLeftBehind(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [pid] = name.startsWith(prefix) ? name.slice(prefix.length).split('-').map(Number) : []
    if (pid !== undefined && pid > 0 && !isProcessAlive(pid)) await remove(join(parent, name))
  }
}

async function makeGroup(
  folder: string,
  { tree, version }: OwnGroup,
  { processes, memory }: ControlGroupOptions,
): Promise<ControlGroup | undefined> {
  try {
    await mkdir(folder)
  } catch {
    return undefined
  }
  const set = (name: string, value: string | number) => writeFile(join(folder, name), String(value), { flag: 'r+' })
  try {
    // Where nobody has divided the machine into groups, the uppermost one does not hand bounds down yet. To let it changes none.
    const handsDown = version === 1 || dirname(folder) !== tree || (await exists(join(folder, 'pids.max')))
    if (!handsDown) await writeFile(join(tree, 'cgroup.subtree_control'), '+pids +memory', { flag: 'r+' })
    await set('pids.max', processes)
    const boundsMemory = await exists(join(folder, 'memory.max'))
    if (boundsMemory) {
      await set('memory.max', memory)
      // Who may swap instead makes the machine slow for everybody. A kernel without swap has no such file.
      await set('memory.swap.max', 0).catch(() => undefined)
    }
    const name = folder.slice(dirname(folder).length + 1)
    return { entrance: join(folder, 'cgroup.procs'), name, boundsMemory, close: () => remove(folder) }
  } catch {
    await remove(folder)
    return undefined
  }
}

const TRIES = 50
const PAUSE = 10

/** A group with processes can't be removed, and one that was killed takes a moment. What stays is removed another time. */
async function remove(folder: string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      return await rmdir(folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return
    }
    await killAll(folder)
    await wait(PAUSE)
  }
}

async function killAll(folder: string): Promise<void> {
  const pids = (await textOf(join(folder, 'cgroup.procs'))).split('\n').map(Number)
  // A zero stands for a process that can't be seen from here; to kill it would mean ourselves.
  for (const pid of pids.filter((each) => each > 1 && each !== process.pid)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
