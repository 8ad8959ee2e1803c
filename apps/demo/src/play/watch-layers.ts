import { describeReceipt } from '@nacre/compact'
import type { Edit, Receipt, Session, SessionEvent } from '@nacre/core'
import { count, money, percent } from '../tell/figures.js'
import { storedResult } from './stored-result.js'
import type { Firing, Layer } from './told.js'

/** Tells of everything that the layers do in a session. `requests` counts what the conversation has sent so far. */
export function watchLayers(session: Session, requests: () => number, tell: (firing: Firing) => void): void {
  session.events.on('event', (event) => {
    const seen = firingOf(event)
    if (seen) tell({ freed: 0, dollars: 0, callsAvoided: 0, ...seen, request: requests() })
  })
}

type Seen = Pick<Firing, 'layer' | 'text'> & Partial<Firing>

function firingOf(event: SessionEvent): Seen | undefined {
  if (event.type === 'edit') return ofEdit(event.edit)
  if (event.type === 'usage' && event.source === 'session_memory') {
    const { dollars, cacheRead, input } = event.usage
    const share = percent(cacheRead / Math.max(1, cacheRead + input))
    return {
      layer: 'noted',
      dollars,
      text: `notes kept beside the work for ${money(dollars)}, ${share} of it read from the cache`,
    }
  }
  if (event.type === 'tool-end' && event.call.name === 'Recall' && !event.result.isError) {
    return { layer: 'recalled', text: 'what is out of view is still in the log, word for word' }
  }
  return undefined
}

function ofEdit(edit: Edit): Seen | undefined {
  const { changes, owner, price, receipt } = edit
  if (receipt) return ofReceipt(receipt)
  if (changes.some(({ kind }) => kind === 'revert'))
    return { layer: 'undone', freed: price.freed, text: 'the compaction is taken back' }
  const replaced = changes.filter((change) => change.kind === 'replace')
  if (replaced.length === 0) return undefined
  return owner === 'tool-result-storage' ? storedResult(replaced) : ofClearing(edit, replaced.length)
}

function ofClearing({ price }: Edit, results: number): Seen {
  return {
    layer: 'cleared',
    freed: price.freed,
    dollars: price.dollars,
    text: `${results} old results became a line each: ${count(price.freed)} tokens fewer, ${money(price.dollars)} to write the rest again, no model call`,
  }
}

const RUNGS: Readonly<Partial<Record<Receipt['rung'], Layer>>> = { notes: 'free', summary: 'full', digest: 'digest' }

function ofReceipt(receipt: Receipt): Seen | undefined {
  const layer = RUNGS[receipt.rung]
  if (!layer) return undefined
  const { before, after } = receipt.tokens
  const { spent, rewrite } = receipt.dollars
  const callsAvoided = layer === 'full' ? 0 : 1
  return {
    layer,
    freed: before - after,
    dollars: spent + rewrite,
    callsAvoided,
    receipt,
    text: describeReceipt(receipt),
  }
}
