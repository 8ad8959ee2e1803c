import { describeReceipt } from '@nacre/compact'
import type { Receipt } from '@nacre/core'
import { receiptLine } from '../../slash/receipt-line.js'
import type { ScreenStore } from '../state/screen-store.js'
import { plainLines } from '../text/plain-lines.js'

/** Shows what a compaction did, once. */
export interface ReceiptShower {
  show(receipt: Receipt): void
  /** Whether a notice says again what a receipt has said: the layer that folds writes one into the log. */
  isTold(notice: string): boolean
}

/** `isCommanded`: whether a command runs, which says itself what was folded. */
export function receiptShower(store: ScreenStore, width: () => number, isCommanded: () => boolean): ReceiptShower {
  let told: string | undefined
  return {
    show(receipt) {
      told = describeReceipt(receipt)
      if (!isCommanded()) store.print(plainLines(receiptLine(receipt), width(), 'magenta'))
    },
    isTold: (notice) => notice === told,
  }
}
