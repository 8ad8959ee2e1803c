import type { AssistantEntry, Block, Entry } from '@nacre/core'
import { EXIT } from '../../exit-codes.js'
import type { Terminal } from '../../terminal.js'
import { commandPlace } from '../command-place.js'
import { findEdit } from '../find-edit.js'
import { blockText } from '../log/entry-text.js'
import { startReplay } from '../replay.js'
import { harmless } from '../words.js'

/** Lines of a block that are shown unless all are wanted. */
const LINES = 12

export interface DiffChoice {
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
  terminal.stdout.write(`${lines.join('\n')}\n`)
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
  const lines = harmless(blockText(block)).split('\n')
  const shown = isFull ? lines : lines.slice(0, LINES)
  const rest = lines.length - shown.length
  const more = rest > 0 ? [`${sign}   … ${rest} more lines (--full shows them)`] : []
  return [`${sign} ${role}:`, ...shown.map((line) => `${sign}   ${line}`), ...more]
}
