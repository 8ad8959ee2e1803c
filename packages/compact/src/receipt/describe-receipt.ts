import type { Receipt } from '@nacre/core'
import { counted } from './counted.js'
import { inDollars } from './in-dollars.js'
import { inFigures } from './in-figures.js'

const CAUSES: Readonly<Record<Receipt['trigger'], string>> = {
  auto: 'Compacted',
  manual: 'Compacted by hand',
  overflow: 'Compacted because the prompt was too long',
}

const WAYS: Readonly<Record<Receipt['rung'], string>> = {
  erase: 'by clearing on the server',
  clear: 'by clearing',
  notes: 'with notes at hand',
  summary: 'with a summary',
  digest: 'with a digest, without the model',
}

/** What a compaction did and cost, in one line for people. */
export function describeReceipt(receipt: Receipt): string {
  const { trigger, rung, tokens, dollars, messages, restored, checks, undo } = receipt
  const failed = checks.filter(({ ok }) => !ok).length
  const facts = [
    `${inFigures(tokens.before)} → ${inFigures(tokens.after)} tokens`,
    // A log of an earlier version does not count messages.
    ...(messages ? [`${counted(messages.folded, 'message')} folded`] : []),
    ...(restored.length > 0 ? [`${counted(restored.length, 'item')} back`] : []),
    inDollars(dollars.spent + dollars.rewrite),
    ...(failed > 0 ? [`${failed} of ${counted(checks.length, 'check')} failed`] : []),
  ]
  return `${CAUSES[trigger]} ${WAYS[rung]}: ${facts.join(', ')}; to take it back, undo ${undo}.`
}
