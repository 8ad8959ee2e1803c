import type { Block, Edit, HookContext, Id } from '@nacre/core'
import { contentText } from './content-text.js'
import { type LoggedResult, openResults } from './find-results.js'
import { fitTexts } from './fit-texts.js'
import { hold, shortenAlone } from './judge-result.js'
import type { HeldResult } from './message-results.js'
import { revisionDraft } from './revision-draft.js'
import { OWNER, type StorageParts } from './storage-parts.js'

type Answer = Promise<Edit | { readonly refused: string }>

/**
 * Judges results that are in the log and that nobody has judged: an abort came in between, or the process that had
 * decided on them was killed. Only those that have not been answered; the rest stays as it was sent.
 */
export async function judgeLate(parts: StorageParts, context: HookContext): Promise<{ answer: Answer } | undefined> {
  const view = context.view()
  const limits = parts.limits(view)
  const owed = new Set((view.state(OWNER, 'owed') ?? []) as readonly Id[])
  const isLate = ({ call, target }: LoggedResult) =>
    view.shows(target) === 'whole' &&
    !parts.judged.has(call.id) &&
    (owed.has(call.id) || parts.tools.isKnown(call.name))
  const open = openResults(view)
  const late: HeldResult[] = []
  for (const { call, block } of open.filter(isLate)) {
    const held = hold(parts, call, blocksOf(block.content), limits)
    if (owed.has(call.id)) await held.text.shrink()
    else await shortenAlone(parts, call, held, limits)
    late.push(held)
    parts.judged.add(call.id)
  }
  const others = open.filter((result) => !isLate(result) && view.shows(result.target) === 'whole')
  const taken = others.reduce((sum, { block }) => sum + contentText(blocksOf(block.content)).length, 0)
  if (parts.flag('messages')) await fitTexts(late, limits.message - taken)
  const revised = late.filter(({ text }) => text.logged() !== undefined)
  if (revised.length === 0) return undefined
  return {
    answer: context.propose(
      revisionDraft(
        context.view,
        () => revised,
        (call) => call,
      ),
    ),
  }
}

function blocksOf(content: unknown): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as readonly Block[])
}
