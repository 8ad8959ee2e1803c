import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isWithin } from '../paths.js'

/**
 * Pipes on the disk that programs hold open, from Linux' /proc. The kernel lets a pipe be written to wherever nothing else can be, so that a
 * program that reads commands from one is reached from a place that is mounted to be read only.
 */
export async function heldPipes(listed: string): Promise<readonly string[]> {
  const programs = (await readdir(listed).catch(() => [])).filter((name) => /^\d+$/.test(name))
  const held = await Promise.all(programs.map((name) => pipesOf(join(listed, name, 'fd'))))
  return [...new Set(held.flat())]
}

async function pipesOf(folder: string): Promise<readonly string[]> {
  // Gone meanwhile, or somebody else's.
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(names.map((name) => pipeBehind(join(folder, name)).catch(() => undefined)))
  return found.filter((path) => path !== undefined)
}

async function pipeBehind(link: string): Promise<string | undefined> {
  const path = await readlink(link)
  if (!path.startsWith('/')) return undefined
  const held = await stat(link)
  if (!held.isFIFO()) return undefined
  // A program in a cage of its own has by that name what is something else here, or nothing.
  const here = await lstat(path)
  return here.ino === held.ino && here.dev === held.dev ? path : undefined
}

interface Reach {
  readonly workspace: readonly string[]
  /** Where there is a private one in its place. */
  readonly home: string | undefined
  readonly seen: readonly string[]
}

/** Those that a command would find by their names, and that no command has made. */
export function reachedPipes(pipes: readonly string[], { workspace, home, seen }: Reach): readonly string[] {
  const isPrivate = (path: string) => PRIVATE.test(path) || (home !== undefined && isWithin(home, path))
  const isIn = (places: readonly string[], path: string) => places.some((place) => isWithin(place, path))
  return pipes.filter((path) => !isIn(workspace, path) && (!isPrivate(path) || isIn(seen, path)))
}

/** What stands in a cage for these is its own. */
const PRIVATE = /^\/(proc|dev|run|tmp|var\/tmp)\//
