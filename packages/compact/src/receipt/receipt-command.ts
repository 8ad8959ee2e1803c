import type { Command, Edit } from '@nacre/core'
import type { Parts } from '../parts.js'
import { describeReceipt } from './describe-receipt.js'
import { receiptInFull } from './receipt-in-full.js'
import { type SessionFold, sessionFolds } from './session-folds.js'

/** Shows one receipt with all that is in it. */
export function receiptCommand({ store }: Parts): Command {
  return {
    name: 'receipt',
    help: 'receipt [edit id]: what the last compaction, or that one, kept, folded, restored and cost.',
    async run(args, context) {
      const wanted = args.trim()
      const folds = await sessionFolds(store, context.view())
      const found = wanted === '' ? folds.at(-1) : folds.find(({ edit }) => edit.id === wanted)
      if (found) return shown(found)
      if (folds.length === 0) return 'Nothing has been compacted in this session.'
      return `There is no compaction '${wanted}'. Known: ${folds.map(({ edit }) => edit.id).join(', ')}.`
    },
  }
}

function shown({ edit, receipt, isUndone }: SessionFold): string {
  const state = isUndone ? 'It was taken back.' : 'It is in force.'
  return [describeReceipt(receipt), state, `reason     ${edit.reason}`, `time       ${timeOf(edit)}`]
    .concat(receiptInFull(receipt))
    .join('\n')
}

function timeOf({ time }: Edit): string {
  return new Date(time).toISOString()
}
