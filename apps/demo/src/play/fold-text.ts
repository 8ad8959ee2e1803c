import type { Receipt } from '@nacre/core'
import { count, money } from '../tell/figures.js'

const STANDS: Readonly<Partial<Record<Receipt['rung'], string>>> = {
  notes: 'the notes stand',
  summary: 'a summary by the model stands',
  digest: 'an extract made without a model stands',
}

/** What a fold did, for somebody who has never seen one. */
export function foldText({ rung, tokens, messages, restored, dollars, checks }: Receipt): string {
  const call = dollars.spent > 0 ? `${money(dollars.spent)} for the model` : 'no model call'
  const failed = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `; not met: ${name} (${detail})`)
  return `${count(tokens.before)} → ${count(tokens.after)} tokens: ${STANDS[rung]} for ${count(messages.folded)} messages, ${count(restored.length)} items are put back; ${call}, ${money(dollars.rewrite)} to write the cache again${failed.join('')}`
}
