import type { Entry } from '@nacre/core'
import { EXIT } from '../../exit-codes.js'
import type { Terminal } from '../../terminal.js'
import { commandPlace } from '../command-place.js'
import { harmless, oneLine } from '../words.js'
import { entryText } from './entry-text.js'

export interface LogFilter {
  readonly json?: boolean
  readonly kind?: string
  readonly owner?: string
  readonly grep?: string
  readonly last?: number
  readonly full?: boolean
}

/** Prints the entries of a session that a filter lets pass. */
export async function showLog(terminal: Terminal, session: string, filter: LogFilter): Promise<number> {
  const { store, find } = commandPlace(terminal)
  const { id } = await find(session)
  const entries = (await store.peek?.(id)) ?? []
  const passed = entries.filter((entry) => passes(entry, filter))
  const width = terminal.stdout.columns ?? 120
  for (const entry of filter.last === undefined ? passed : passed.slice(-filter.last)) {
    terminal.stdout.write(`${filter.json ? JSON.stringify(entry) : shown(entry, width, filter.full ?? false)}\n`)
  }
  return EXIT.done
}

function passes(entry: Entry, { kind, owner, grep }: LogFilter): boolean {
  if (kind !== undefined && entry.kind !== kind) return false
  if (owner !== undefined && !('owner' in entry && entry.owner === owner)) return false
  return grep === undefined || entryText(entry).toLowerCase().includes(grep.toLowerCase())
}

function shown(entry: Entry, width: number, isFull: boolean): string {
  const time = new Date(entry.time).toISOString().slice(0, 19).replace('T', ' ')
  const who = 'owner' in entry ? `${entry.kind} (${entry.owner})` : entry.kind
  const head = `${time}  ${who.padEnd(9)}  ${entry.id}`
  const text = entryText(entry)
  return isFull
    ? `${head}\n${harmless(text).replaceAll(/^/gm, '  ')}\n`
    : `${head}  ${oneLine(text, Math.max(20, width - head.length - 2))}`
}
