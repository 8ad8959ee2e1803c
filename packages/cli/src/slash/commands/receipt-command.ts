import type { Edit, Entry, Id } from '@nacre/core'
import { findId } from '../find-id.js'
import { logEntries } from '../log-entries.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand } from '../slash-command.js'

/** What a compaction kept, folded, restored and cost. */
export const receiptCommand: SlashCommand = {
  name: 'receipt',
  help: 'Shows what the last compaction, or the one named, kept, folded, restored and cost.',
  example: '/receipt 3f2a91c0',
  async run(args, context) {
    const entries = await logEntries(context.opened.session, context.signal)
    const folds = entries.filter((entry): entry is Edit => entry.kind === 'edit' && entry.receipt !== undefined)
    if (folds.length === 0) return say('Nothing has been compacted in this session.', context)
    const ids = folds.map(({ id }) => id)
    const found = args === '' ? { id: ids.at(-1) } : findId(args, ids, 'compaction')
    if ('wrong' in found) return misuse(`${found.wrong} Known: ${ids.join(', ')}.`, receiptCommand, context)
    const edit = folds.find(({ id }) => id === found.id)
    if (!edit?.receipt) return say('Nothing has been compacted in this session.', context)
    const { describeReceipt, receiptInFull } = await import('@nacre/compact')
    const state = takenBack(entries).has(edit.id) ? 'It was taken back.' : 'It is in force.'
    const facts = [`reason     ${edit.reason}`, `time       ${new Date(edit.time).toISOString()}`]
    return say([describeReceipt(edit.receipt), state, ...facts, receiptInFull(edit.receipt)].join('\n'), context)
  },
}

/** Edits that a revert in force takes back; a revert comes after what it reverts, so one walk from the end tells. */
function takenBack(entries: readonly Entry[]): ReadonlySet<Id> {
  const undone = new Set<Id>()
  for (const entry of entries.toReversed()) {
    if (entry.kind !== 'edit' || undone.has(entry.id)) continue
    for (const change of entry.changes) if (change.kind === 'revert') undone.add(change.edit)
  }
  return undone
}
