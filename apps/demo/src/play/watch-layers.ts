import { describeReceipt } from '@nacre/compact'
import type { Edit, Receipt, Session, SessionEvent, ToolCall } from '@nacre/core'
import { count, money, percent } from '../tell/figures.js'
import { storedResult } from './stored-result.js'
import type { Firing, Layer } from './told.js'

export interface Watcher {
  /** What the conversation has sent so far. */
  requests(): number
  called(call: ToolCall): void
  fired(firing: Firing): void
}

/** Tells of the calls in a session and of everything that the layers do there, in the order in which it happens. */
export function watchLayers(session: Session, { requests, called, fired }: Watcher): void {
  session.events.on('event', (event) => {
    if (event.type === 'tool-start') called(event.call)
    const seen = firingOf(event)
    if (seen) fired({ freed: 0, dollars: 0, callsAvoided: 0, ...seen, request: requests() })
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
  const failed = receipt.checks.flatMap(({ name, ok, detail }) => (ok ? [] : [` (${name}: ${detail})`]))
  return {
    layer,
    freed: before - after,
    dollars: spent + rewrite,
    callsAvoided,
    receipt,
    text: describeReceipt(receipt) + failed.join(''),
  }
}
