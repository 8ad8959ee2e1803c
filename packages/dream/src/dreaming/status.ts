import type { MemoryFolder } from '../folders/memory-folder.js'
import { readJson, writeState } from '../folders/state-files.js'

export type DreamPhase = 'orient' | 'gather' | 'consolidate' | 'prune'

/** A dream as people see it, while it runs and after. */
export interface DreamStatus {
  readonly status: 'running' | 'completed' | 'failed' | 'killed'
  /** `updating` from the first write on. */
  readonly state: 'starting' | 'updating'
  readonly phase: DreamPhase
  readonly pid: number
  readonly started: number
  readonly ended?: number
  readonly calls: number
  /** Files that it has written in its copy. */
  readonly paths: readonly string[]
  /** What it said and did, the last 30 turns. */
  readonly turns: readonly string[]
  readonly dollars: number
  /** What came of it, or why nothing did. */
  readonly reason?: string
}

const FILE = 'dream.json'
const TURNS = 30

export async function readStatus({ path }: Pick<MemoryFolder, 'path'>): Promise<DreamStatus | undefined> {
  return readJson<DreamStatus | undefined>(path, FILE, undefined)
}

/** The one who keeps the status of a running dream, in memory for the session and on disk for all others. */
export interface StatusKeeper {
  current(): DreamStatus
  update(change: Partial<Omit<DreamStatus, 'turns'>>, turn?: string): Promise<void>
}

export function keepStatus(
  folder: MemoryFolder,
  started: number,
  onChange: (status: DreamStatus) => void,
): StatusKeeper {
  let status: DreamStatus = {
    status: 'running',
    state: 'starting',
    phase: 'orient',
    pid: process.pid,
    started,
    calls: 0,
    paths: [],
    turns: [],
    dollars: 0,
  }
  return {
    current: () => status,
    async update(change, turn) {
      const turns = turn === undefined ? status.turns : [...status.turns, turn].slice(-TURNS)
      status = { ...status, ...change, turns }
      onChange(status)
      await writeState(folder.path, FILE, status)
    },
  }
}

/** How dreams have ended, for the breakers. */
export interface DreamHistory {
  /** Failures since the last one that completed. */
  readonly failures: number
  /** Completed dreams since something entered the index. */
  readonly withoutPromotion: number
  /** Whether the person was told that nothing is promoted. */
  readonly isTold: boolean
}

const HISTORY = 'dream-history.json'
const NO_HISTORY: DreamHistory = { failures: 0, withoutPromotion: 0, isTold: false }

export function readHistory({ path }: Pick<MemoryFolder, 'path'>): Promise<DreamHistory> {
  return readJson<DreamHistory>(path, HISTORY, NO_HISTORY)
}

export async function writeHistory({ path }: Pick<MemoryFolder, 'path'>, history: DreamHistory): Promise<void> {
  await writeState(path, HISTORY, history)
}
