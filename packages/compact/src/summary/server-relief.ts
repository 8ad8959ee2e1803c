import { type Block, type CompactPlan, type Draft, type Fold, foldDraft, type Relief, type View } from '@nacre/core'
import type { Parts } from '../parts.js'
import { checkMessages } from './check-messages.js'
import { checkPaths } from './check-paths.js'
import { checkSections } from './check-sections.js'
import { checkTodos } from './check-todos.js'
import { foldOptions } from './fold-options.js'
import type { Reach } from './reach.js'
import { sectionTitles } from './section-titles.js'
import { SERVER_BETA } from './server-beta.js'
import { spanRounds } from './span-rounds.js'
import { spanTexts } from './span-texts.js'
import { summaryOffer } from './summary-offer.js'
import { summaryOrder } from './summary-order.js'
import { summaryPrompt } from './summary-prompt.js'
import { type SummaryTask, summaryTask } from './summary-task.js'
import { userMessages } from './user-messages.js'

/** The API takes no longer ones. */
const LONGEST = 16_384

/** A summary that the API itself writes and signs. It stands first in the view, so it is of all of it or of nothing. */
export function serverRelief(parts: Parts, reach: Reach): Relief {
  return {
    name: 'server',
    rung: 'summary',
    offer(view, need) {
      if (!parts.flag('server') || need.part || !need.model.can.has('compaction') || !isLatched(view)) return undefined
      const task = summaryTask(parts, view, need)
      return task && summaryOffer(task, 'server', reach, (plan) => draft(task, plan))
    },
  }
}

/** A signed summary is refused without its header, and what the session did not begin with it never sends. */
function isLatched(view: View): boolean {
  const { betas }: { readonly betas?: unknown } = Object(view.state('core', 'latched'))
  return Array.isArray(betas) && betas.includes(SERVER_BETA)
}

async function draft(task: SummaryTask, plan: CompactPlan): Promise<Draft> {
  const instructions = summaryPrompt(summaryOrder(task, plan, false))
  if (instructions.length > LONGEST) throw new Error('The instructions are longer than the API takes for a summary.')
  const { content, stop, usage, prefix } = await plan.ask({
    source: 'compact',
    extra: { compaction: { type: 'summarize', instructions }, betas: [SERVER_BETA], context_management: null },
    signal: plan.signal,
  })
  const [block] = content
  if (block?.type !== 'compaction' || typeof block.content !== 'string') {
    throw new Error(`The API gave no summary (${stop}).`)
  }
  return signedDraft(task, plan, { block, prefix, reason: 'summarised by the server', spent: usage })
}

interface Signed extends Pick<Draft, 'reason' | 'spent'> {
  readonly block: Block
  readonly prefix: string
}

const STANDS =
  'The summary at the beginning stands for the earlier part of this session, which was folded to make room.'

/** Nothing in a signed block can be changed, so what it lacks is said behind it. */
function signedDraft(task: SummaryTask, plan: CompactPlan, { block, prefix, reason, spent }: Signed): Draft {
  const { view, span } = task
  const text = checkSections(String(block.content), false)
  const titles = sectionTitles(false)
  const rounds = spanRounds(view, span)
  const todos = checkTodos(text, view, titles)
  const paths = checkPaths(text, spanTexts(view, rounds))
  const plain = foldDraft(view, span, text, { ...foldOptions(task, plan), reason, ...(spent && { spent }) })
  const fold = plain.changes[0] as Fold
  const [frame, , ...sections] = fold.content
  const lacking = [
    STANDS,
    ...todos.missing.map((todo) => `Still to be done: ${todo}`),
    ...(paths.check.ok ? [] : [`In the summary, ${paths.check.detail}.`]),
    // What a fold begins with says that its text follows; here it stands above.
    ...String(frame?.text).split('\n').slice(1),
  ]
  const behind = [{ type: 'text', text: lacking.join('\n') }, ...sections]
  const words = [text, ...sections.map((section) => String(section.text))].join('\n')
  const messages = checkMessages(text, titles, userMessages(view, rounds), words)
  const checks = [{ name: 'sections', ok: true, detail: '9 of 9' }, messages, todos.check, paths.check]
  return { ...plain, changes: [{ ...fold, content: [block, ...behind], as: prefix }], checks }
}
