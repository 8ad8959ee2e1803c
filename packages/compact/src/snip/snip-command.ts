import type { Command, HookContext, View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { listRounds } from './list-rounds.js'
import { snipDraft } from './snip-draft.js'
import { snipSpan } from './snip-span.js'

const HELP = [
  'snip list: the rounds in view, with short ids, sizes and first words.',
  'snip <id> [to <id>]: leaves that round, or those from one to the other, out of the view; a note stays in their place.',
  'What you said in them is kept in the note. Nothing is deleted: undo brings it back.',
].join('\n')

/** Lets people take rounds out of the view. */
export function snipCommand({ flag, recall }: Parts): Command {
  return {
    name: 'snip',
    help: HELP,
    async run(args, context) {
      if (!flag('snip')) return 'Snipping is switched off by the flag compact.snip.'
      const words = args.trim().split(/\s+/)
      if (words[0] === '' || words[0] === 'help') return HELP
      if (words.length === 1 && words[0] === 'list') return listRounds(context.view())
      const range = rangeOf(words)
      return range ? snip(context, range, recall()) : `'snip ${args.trim()}' can not be read.\n${HELP}`
    },
  }
}

interface Range {
  readonly from: string
  readonly to: string
}

function rangeOf([from = '', to, last, ...rest]: readonly string[]): Range | undefined {
  if (to === undefined) return { from, to: from }
  return to === 'to' && last !== undefined && rest.length === 0 ? { from, to: last } : undefined
}

async function snip(context: HookContext, { from, to }: Range, recall: string | undefined): Promise<string> {
  const view: View = context.view()
  const found = snipSpan(view, from, to)
  if ('problem' in found) return found.problem
  const made = snipDraft(view, found, { why: 'taken out by the user', recall })
  if ('problem' in made) return made.problem
  const edit = await context.propose(made.draft)
  if ('refused' in edit) return `Not snipped: ${edit.refused}`
  return `Snipped: ${made.summary}. To take it back, undo ${edit.id}.`
}
