import type { Command } from '@nacre/core'
import type { Parts } from '../parts.js'
import { inDollars } from './in-dollars.js'
import { inFigures } from './in-figures.js'
import { type SessionFold, sessionFolds } from './session-folds.js'

/** Lists the compactions of a session. */
export function receiptsCommand({ store }: Parts): Command {
  return {
    name: 'receipts',
    help: 'receipts: all compactions of this session, with their ids, times, tokens and dollars.',
    async run(_args, context) {
      const folds = await sessionFolds(store, context.view())
      if (folds.length === 0) return 'Nothing has been compacted in this session.'
      return folds.map(line).join('\n')
    },
  }
}

function line({ edit, receipt: { trigger, rung, tokens, dollars }, isUndone }: SessionFold): string {
  const size = `${inFigures(tokens.before)} → ${inFigures(tokens.after)} tokens`
  const cost = inDollars(dollars.spent + dollars.rewrite)
  const state = isUndone ? '  taken back' : ''
  return `${edit.id}  ${new Date(edit.time).toISOString()}  ${trigger}, ${rung}  ${size}  ${cost}${state}`
}
