import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  type BigIntStats,
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { type Stage, stageIn } from './stage.js'

/** What stands at each path below a folder: kind, mode, owner, and content. No times: those of two runs differ. */
export type State = ReadonlyMap<string, string>

/** A copy of a stage in which one command runs after the other. */
export interface Lane {
  readonly stage: Stage
  /** Gives what is there now and which paths have changed, and makes all as it was, times included. */
  reset(): { readonly state: State; readonly changed: readonly string[] }
}

/** Copies of a stage. All are made before the first is used: another link to a tool counts as a change of it. */
export function makeLanes(template: Stage, folders: readonly string[]): readonly Lane[] {
  return folders
    .map((folder) => {
      const stage = stageIn(folder)
      mkdirSync(folder)
      execFileSync('cp', ['-a', template.work, template.home, folder])
      execFileSync('cp', ['-a', '--link', template.tools, join(stage.work, 'node_modules')])
      return stage
    })
    .map((stage) => laneOf(template, stage))
}

function laneOf(template: Stage, stage: Stage): Lane {
  const { folder } = stage
  let clean = survey(folder)
  return {
    stage,
    reset() {
      const now = survey(folder, clean)
      const state = told(now)
      const changed = changedPaths(told(clean), state)
      const touched = [...new Set([...clean.keys(), ...now.keys()])]
        .filter((path) => clean.get(path)?.mark !== now.get(path)?.mark)
        .sort()
      for (const path of touched) putBack(sourceOf(template, path), join(folder, path))
      // Below first: what is made in a folder gives it another time.
      for (const path of touched.reverse()) putTimeBack(sourceOf(template, path), join(folder, path))
      if (touched.length > 0) clean = survey(folder, clean)
      return { state, changed }
    },
  }
}

/** The paths at which two states differ, in order. */
export function changedPaths(one: State, other: State): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).sort()
}

interface Found {
  /** Changes with every write. */
  readonly mark: string
  readonly told: string
}

function told(found: ReadonlyMap<string, Found>): State {
  return new Map([...found].map(([path, one]) => [path, one.told]))
}

/** All that lies below a folder. What has the mark of an earlier survey is not read again. */
function survey(folder: string, earlier?: ReadonlyMap<string, Found>): Map<string, Found> {
  const all = new Map<string, Found>()
  const visit = (path: string) => {
    const place = join(folder, path)
    const stats = lstatSync(place, { bigint: true })
    const mark = `${stats.ino} ${stats.ctimeNs}`
    const before = earlier?.get(path)
    all.set(path, before?.mark === mark ? before : { mark, told: describe(place, stats) })
    if (stats.isDirectory()) for (const name of readdirSync(place)) visit(join(path, name))
  }
  visit('.')
  return all
}

function describe(place: string, stats: BigIntStats): string {
  const owner = `${Number(stats.mode).toString(8)} ${stats.uid}:${stats.gid}`
  if (stats.isSymbolicLink()) return `${owner} -> ${readlinkSync(place)}`
  if (!stats.isFile()) return owner
  const bytes = readFileSync(place)
  const content = /\/\.git\/(?:.*\/)?index$/.test(place) ? indexEntries(bytes) : bytes
  const sum = createHash('sha256').update(content).digest('hex')
  // A clone on the same disk has links to the objects of the other or, where it can't, copies with another mode.
  return /\.git\/(?:.*\/)?objects\//.test(place) ? sum : `${owner} ${stats.nlink} ${sum}`
}

const INDEX_HEADER = 12
/** Times, device, inode, owner and size of the file as git saw it last, around the mode. */
const INDEX_STAT = 40

/** An index without what it notes of times and inodes, which differ with each write, and without the sum at its end. */
function indexEntries(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, INDEX_HEADER)]
  let at = INDEX_HEADER
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + INDEX_STAT + 20)
    const name = at + INDEX_STAT + 22 + (flags & 0x4000 ? 2 : 0)
    const end = bytes.indexOf(0, name)
    kept.push(bytes.subarray(at + 24, at + 28), bytes.subarray(at + INDEX_STAT, end))
    at += Math.ceil((end + 1 - at) / 8) * 8
  }
  return Buffer.concat([...kept, bytes.subarray(at, -20)])
}

/** Where something of a copy is in the stage itself. */
function sourceOf({ folder, tools }: Stage, path: string): string {
  const tool = relative('work/node_modules', path)
  return tool.startsWith('..') ? join(folder, path) : join(tools, tool)
}

function putBack(from: string, to: string): void {
  const [wanted, there] = [lstatOf(from), lstatOf(to)]
  const stays = wanted?.isDirectory() && there?.isDirectory()
  if (there && !stays) remove(to)
  if (!wanted) return
  if (wanted.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
  else if (wanted.isDirectory()) mkdirSync(to, { recursive: true })
  else copyFileSync(from, to)
  if (!wanted.isSymbolicLink()) chmodSync(to, wanted.mode & 0o7777)
}

function putTimeBack(from: string, to: string): void {
  const wanted = lstatOf(from)
  if (wanted) lutimesSync(to, wanted.atime, wanted.mtime)
}

function lstatOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false })
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // A folder may have been closed to its owner.
    execFileSync('chmod', ['-R', 'u+rwX', path])
    rmSync(path, { recursive: true, force: true })
  }
}
