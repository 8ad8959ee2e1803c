import { isNacreError, type NoticeEntry } from '@nacre/core'
import type { Layer } from '../layer.js'
import { describeReceipt } from './describe-receipt.js'
import { receiptCommand } from './receipt-command.js'
import { receiptsCommand } from './receipts-command.js'

/** Tells people what each compaction did, and why one did not come about. */
export const receipts: Layer = (parts) => {
  /** The climb whose trouble was told last: it goes on without the conversation changing. */
  let told = ''
  const notice = (level: NoticeEntry['level'], text: string) =>
    parts.store.append([{ kind: 'notice', owner: 'compact', level, text, id: '', time: 0 }])
  return {
    commands: [receiptCommand(parts), receiptsCommand(parts)],
    hooks: {
      async ViewChanged({ edit }) {
        if (edit.receipt) await notice('info', describeReceipt(edit.receipt))
      },
      async CompactFailed({ error, trigger, tokens, count, dryRun }) {
        const climb = [trigger, tokens, count].join()
        if (dryRun || climb === told) return
        told = climb
        await notice('warning', isVeto(error) ? vetoed(error) : failed(error))
      },
    },
  }
}

function isVeto(error: Error): boolean {
  return isNacreError(error) && error.code === 'BLOCKED'
}

function vetoed({ message }: Error): string {
  return `Compaction was held back by a plugin: ${ended(message)} The conversation stays as it is.`
}

function failed({ message }: Error): string {
  return `One way to compact did not work: ${ended(message)} Nothing was changed by it; the next way is tried where there is one.`
}

function ended(message: string): string {
  const text = message.trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}
