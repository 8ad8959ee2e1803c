import type { Entry } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import { checkpointIn } from '../stores/checkpoint-search.js'

const VERSION = 1
const TURNS = Buffer.from('{"v":1,"turns":true')

/** What the store itself notes before the entries of a batch. */
export interface BatchNotes {
  /** Where the line begins that holds the first entry of the batch's checkpoint. */
  readonly at?: number
  /** The title in force, repeated so that a tail has it. */
  readonly title?: string
}

/** A batch is one line: what has no newline, or is no JSON, was torn and counts as a whole or not at all. */
export interface Batch extends BatchNotes {
  readonly entries: readonly Entry[]
}

/** The line of a batch, with its newline. */
export function encodeBatch({ entries, at, title }: Batch): Buffer {
  const turns = entries.some(decidesStart) ? true : undefined
  try {
    return Buffer.from(`${JSON.stringify({ v: VERSION, turns, at, title, entries })}\n`)
  } catch (cause) {
    throw new NacreError('INVALID_REQUEST', 'An entry is no JSON. Nothing of its batch was written.', { cause })
  }
}

/** Tells without parsing whether a line has a say in where a resume starts. */
export function turnsStart(line: Buffer): boolean {
  return line.subarray(0, TURNS.length).equals(TURNS)
}

/** `undefined` if the line is broken or foreign; throws if a later version wrote it, for it must not be lost. */
export function decodeBatch(line: Buffer, path: string): Batch | undefined {
  const value = parsed(line)
  if (typeof value !== 'object' || value === null || !('v' in value) || typeof value.v !== 'number') return undefined
  if (value.v > VERSION) {
    throw new NacreError('STORE_CORRUPT', `${path} has format ${value.v}, this version reads ${VERSION}. Update nacre.`)
  }
  const isBatch = 'entries' in value && Array.isArray(value.entries) && value.entries.every(isEntry)
  return isBatch ? (value as unknown as Batch) : undefined
}

function decidesStart(entry: Entry): boolean {
  if (entry.kind === 'edit') return entry.changes.some(({ kind }) => kind === 'revert')
  return checkpointIn(entry) !== undefined
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && typeof value.id === 'string' && 'kind' in value && typeof value.kind === 'string'
}
