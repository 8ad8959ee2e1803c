import type { AssistantEntry, Block, Change, Entry } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { commandPlace, findEdit } from './find-session.js'
import { oneLine } from './format.js'
import { startReplay } from './without-model.js'

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
    ? `${head}\n${cleanText(text).replaceAll(/^/gm, '  ')}\n`
    : `${head}  ${oneLine(text, Math.max(20, width - head.length - 2))}`
}

/** Lines of a block that are shown unless all are wanted. */
const LINES = 12

interface DiffChoice {
  readonly edit: string | undefined
  readonly isFull: boolean
}

/** Prints the blocks that an edit took out of the request and those that it put in. */
export async function showDiff(terminal: Terminal, session: string, { edit, isFull }: DiffChoice): Promise<number> {
  const { store, find } = commandPlace(terminal)
  const { id } = await find(session)
  const entries = (await store.peek?.(id)) ?? []
  const found = findEdit(entries, edit)
  const { before, after } = viewsAround(entries, found.id)
  const { removed, added } = difference(before, after)
  const { freed, dollars } = found.price
  const lines = [
    `${found.id} by ${found.owner}: ${found.reason}`,
    `${freed} tokens freed, $${dollars.toFixed(4)} to write the rest to the cache again`,
    '',
    ...removed.flatMap((shown) => marked('-', shown, isFull)),
    ...added.flatMap((shown) => marked('+', shown, isFull)),
    ...(removed.length + added.length === 0 ? ['What the model reads is the same before and after.'] : []),
  ]
  terminal.stdout.write(`${cleanText(lines.join('\n'))}\n`)
  return EXIT.done
}

interface Shown {
  readonly role: string
  readonly block: Block
}

function viewsAround(entries: readonly Entry[], edit: string): { before: readonly Shown[]; after: readonly Shown[] } {
  const at = entries.findIndex(({ id }) => id === edit)
  const isResponse = (entry: Entry): entry is AssistantEntry => entry.kind === 'assistant'
  const model = entries.slice(0, at).findLast(isResponse)?.model ?? ''
  const replay = startReplay(entries, model)
  for (const entry of entries.slice(0, at)) replay.restore(entry)
  const before = blocksOf(replay.rendering().messages)
  replay.restore(entries[at] as Entry)
  return { before, after: blocksOf(replay.rendering().messages) }
}

type Messages = ReturnType<ReturnType<typeof startReplay>['rendering']>['messages']

function blocksOf(messages: Messages): readonly Shown[] {
  return messages.flatMap(({ role, blocks }) => blocks.map(({ block }) => ({ role, block })))
}

/** What is in one and not in the other, in order. The same block twice counts twice. */
function difference(before: readonly Shown[], after: readonly Shown[]): { removed: Shown[]; added: Shown[] } {
  const keyOf = ({ role, block }: Shown) => `${role} ${JSON.stringify(block)}`
  const without = (all: readonly Shown[], others: readonly Shown[]) => {
    const left = new Map<string, number>()
    for (const key of others.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1)
    return all.filter((shown) => {
      const count = left.get(keyOf(shown)) ?? 0
      left.set(keyOf(shown), count - 1)
      return count <= 0
    })
  }
  return { removed: without(before, after), added: without(after, before) }
}

function marked(sign: string, { role, block }: Shown, isFull: boolean): string[] {
  const lines = cleanText(blockText(block)).split('\n')
  const shown = isFull ? lines : lines.slice(0, LINES)
  const rest = lines.length - shown.length
  const more = rest > 0 ? [`${sign}   … ${rest} more lines (--full shows them)`] : []
  return [`${sign} ${role}:`, ...shown.map((line) => `${sign}   ${line}`), ...more]
}

/** An entry in words. */
function entryText(entry: Entry): string {
  if (entry.kind === 'notice') return `${entry.level}: ${entry.text}`
  if (entry.kind === 'state') return `${entry.key} = ${JSON.stringify(entry.value)}`
  if (entry.kind === 'edit') {
    const { reason, changes, price } = entry
    return `${reason} [${changeCounts(changes)}; ${price.freed} tokens freed]`
  }
  return entry.content.map(blockText).join('\n')
}

/** A block of a message in words. */
function blockText(block: Block): string {
  if (block.type === 'text') return String(block.text)
  if (block.type === 'thinking') return `(thinking) ${String(block.thinking)}`
  if (block.type === 'tool_use') return `(calls ${String(block.name)}) ${JSON.stringify(block.input)}`
  if (block.type !== 'tool_result') return `(${block.type})`
  const { content } = block
  const text = Array.isArray(content) ? (content as readonly Block[]).map(blockText).join('\n') : String(content ?? '')
  return `(${block.is_error ? 'error' : 'result'}) ${text}`
}

function changeCounts(changes: readonly Change[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of changes) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => (count === 1 ? kind : `${count} × ${kind}`)).join(', ')
}
