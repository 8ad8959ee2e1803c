import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Id } from '@nacre/core'
import { makePrivateFolder } from '@nacre/core/node'
import { toDay } from './memory.js'

/** One prompt, what was brought back for it, and what of that the answer made use of. */
export interface Use {
  /** Milliseconds. */
  readonly time: number
  readonly session: Id
  readonly query: string
  readonly recalled: readonly Id[]
  readonly cited: readonly Id[]
}

/** What is known of the use of one memory. */
export interface UseOf {
  /** Different prompts that it was brought back for. */
  readonly queries: number
  readonly cited: number
  /** The day it was last brought back; empty where it never was. */
  readonly lastUsed: string
}

export interface Uses {
  /** Oldest first. */
  readonly all: readonly Use[]
  of(id: Id): UseOf
}

const FILE = 'uses.jsonl'
/** Longer queries are cut: they are looked at for their words alone. */
const LONGEST_QUERY = 400
const NEVER: UseOf = { queries: 0, cited: 0, lastUsed: '' }

/** Adds a line. Sessions beside one another may do so at the same time. */
export async function addUse(folder: string, use: Use): Promise<void> {
  const state = join(folder, '.nacre')
  await makePrivateFolder(state)
  const line = JSON.stringify({ ...use, query: use.query.slice(0, LONGEST_QUERY) })
  await appendFile(join(state, FILE), `${line}\n`, { mode: 0o600 })
}

/** Leaves out lines that a person wants gone. */
export async function keepUses(folder: string, isKept: (line: string) => boolean): Promise<void> {
  const path = join(folder, '.nacre', FILE)
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
  const kept = lines.filter(isKept)
  if (kept.length < lines.length) await writeFile(path, kept.map((line) => `${line}\n`).join(''), { mode: 0o600 })
}

export async function readUses(folder: string): Promise<Uses> {
  const text = await readFile(join(folder, '.nacre', FILE), 'utf8').catch(() => '')
  return usesOf(
    text.split('\n').flatMap((line): readonly Use[] => {
      try {
        const use = JSON.parse(line) as Use
        return Array.isArray(use.recalled) && Array.isArray(use.cited) ? [use] : []
      } catch {
        return []
      }
    }),
  )
}

function usesOf(all: readonly Use[]): Uses {
  const found = new Map<Id, { queries: Set<string>; cited: number; last: number }>()
  for (const { time, query, recalled, cited } of all) {
    for (const id of recalled) {
      const use = found.get(id) ?? { queries: new Set(), cited: 0, last: 0 }
      use.queries.add(query.toLowerCase().replace(/\s+/g, ' ').trim())
      use.last = Math.max(use.last, time)
      if (cited.includes(id)) use.cited += 1
      found.set(id, use)
    }
  }
  return {
    all,
    of(id) {
      const use = found.get(id)
      return use ? { queries: use.queries.size, cited: use.cited, lastUsed: toDay(use.last) } : NEVER
    },
  }
}

/** Different prompts for which a memory has to be brought back before it enters the index, beside being cited. */
const QUERIES = 3
/** Days without use after which it leaves. */
const UNUSED_DAYS = 30
const DAY_MS = 86_400_000

/** Whether use alone has earned a memory its line in the index. What has left it comes back by being used again. */
export function isProven(use: UseOf, now: number): boolean {
  return use.queries >= QUERIES && use.cited > 0 && !isUnused(use, '', now)
}

/** Whether a line of the index has not been of use for so long that it leaves; the file stays. */
export function isUnused(use: UseOf, confirmed: string, now: number): boolean {
  const last = use.lastUsed > confirmed ? use.lastUsed : confirmed
  return last < toDay(now - UNUSED_DAYS * DAY_MS)
}
