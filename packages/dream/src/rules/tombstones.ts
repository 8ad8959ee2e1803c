import { createHash } from 'node:crypto'
import { contentStems, type Id } from '@nacre/core'
import { evidenceOf, type Memory, statementOf } from '../memory/memory.js'

/** What a person wants never to come back. */
export interface Tombstone {
  readonly id: Id
  readonly on: string
  readonly how: 'forgotten' | 'purged'
  readonly salt: string
  /** Twelve bits for each stem: enough to know the text again, too little to guess it. */
  readonly stems: readonly number[]
  /** Entries that it came from. */
  readonly entries: readonly string[]
}

export interface Tombstones {
  readonly all: readonly Tombstone[]
  /** Why a memory must not come in; `undefined` where nobody has forgotten anything like it. */
  refuses(memory: Memory): string | undefined
}

/** The file of the folder that has them, one on a line. */
export const TOMBSTONES = 'forgotten.jsonl'

/** The share of the stems of both that have to be the same, and of one that comes from the very same entry. */
const ALIKE = 0.6
const ALIKE_IN_ENTRY = 0.3

export function readTombstones(text: string): Tombstones {
  const all = text.split('\n').flatMap((line): readonly Tombstone[] => {
    try {
      const value = JSON.parse(line) as Partial<Tombstone>
      return typeof value.salt === 'string' && Array.isArray(value.stems) ? [value as Tombstone] : []
    } catch {
      return []
    }
  })
  return {
    all,
    refuses(memory) {
      const found = all.find((tombstone) => isAlike(tombstone, memory))
      return found && `a person had this forgotten on ${found.on}, and it does not come back by itself`
    },
  }
}

/** Remembers that something was forgotten, without its words. */
export function tombstoneOf(memory: Memory, how: Tombstone['how'], on: string, salt: string): Tombstone {
  const entries = evidenceOf(memory).map(({ session, entry }) => `${session}/${entry}`)
  return { id: memory.id, on, how, salt, stems: [...hashedStems(memory, salt)], entries }
}

function isAlike({ salt, stems, entries }: Tombstone, memory: Memory): boolean {
  const known = new Set(stems)
  const own = hashedStems(memory, salt)
  const shared = [...own].filter((stem) => known.has(stem)).length
  const share = shared / Math.max(1, own.size + known.size - shared)
  const isSameEntry = evidenceOf(memory).some(({ session, entry }) => entries.includes(`${session}/${entry}`))
  return share >= (isSameEntry ? ALIKE_IN_ENTRY : ALIKE) && shared > 0
}

function hashedStems(memory: Memory, salt: string): ReadonlySet<number> {
  const stems = contentStems(statementOf(memory))
  return new Set(stems.map((stem) => createHash('sha256').update(`${salt}/${stem}`).digest().readUInt16BE() & 0xfff))
}
