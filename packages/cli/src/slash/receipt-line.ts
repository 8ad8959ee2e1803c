import type { Receipt } from '@nacre/core'
import { shortId } from './short-id.js'
import { figures } from './text/figures.js'

const WAYS: Readonly<Record<Receipt['rung'], string>> = {
  erase: 'by clearing on the server',
  clear: 'by clearing',
  notes: 'with notes at hand',
  summary: 'with a summary',
  digest: 'with a digest',
}

/** What a compaction did and cost, so short that it is one line on a usual screen; `/receipt` has the rest. */
export function receiptLine({ rung, tokens, dollars, checks, undo }: Receipt): string {
  const sizes = `${figures.count(tokens.before)} → ${figures.count(tokens.after)} tokens`
  const failed = checks.filter(({ ok }) => !ok).length
  const problem = failed > 0 ? ` ${figures.counted(failed, 'check')} failed, see /receipt.` : ''
  const price = figures.dollars(dollars.spent + dollars.rewrite)
  return `Compacted ${WAYS[rung]}: ${sizes}, ${price}.${problem} /undo ${shortId(undo)}`
}
