import { type CompactPlan, type Draft, type Fold, foldDraft, type Receipt, type Span, type Usage } from '@nacre/core'
import { checkMessages } from './check-messages.js'
import { checkPaths } from './check-paths.js'
import { checkTodos } from './check-todos.js'
import { foldOptions } from './fold-options.js'
import { isUpTo } from './is-up-to.js'
import { sectionTitles } from './section-titles.js'
import { spanRounds } from './span-rounds.js'
import { spanTexts } from './span-texts.js'
import type { SummaryTask } from './summary-task.js'
import { userMessages } from './user-messages.js'

/** A summary as a model wrote it, with its nine sections. */
export interface WrittenSummary {
  readonly text: string
  /** What it covers: less than the task where the whole was too long. */
  readonly span: Span
  readonly usage: Usage
  /** Told to people. */
  readonly reason: string
  /** What of the span the model has not read, told to the model and in the receipt. */
  readonly cut?: string
}

/** Verifies a summary, mends what can be mended, and makes the fold. */
export function summaryDraft(task: SummaryTask, plan: CompactPlan, written: WrittenSummary): Draft {
  const { view } = task
  const { span, usage, reason, cut } = written
  const rounds = spanRounds(view, span)
  const titles = sectionTitles(isUpTo(task.need))
  const paths = checkPaths(written.text, spanTexts(view, rounds))
  const todos = checkTodos(paths.text, view, titles)
  const text = cut === undefined ? todos.text : `${cut}\n\n${todos.text}`
  const draft = foldDraft(view, span, text, { ...foldOptions(task, plan), reason, spent: usage })
  const messages = checkMessages(text, titles, userMessages(view, rounds), contentOf(draft))
  const checks: Receipt['checks'] = [
    { name: 'sections', ok: true, detail: '9 of 9' },
    messages,
    todos.check,
    paths.check,
    ...(cut === undefined ? [] : [{ name: 'head', ok: false, detail: cut }]),
  ]
  return { ...draft, checks }
}

function contentOf({ changes }: Draft): string {
  const fold = changes.find((change): change is Fold => change.kind === 'fold')
  return (fold?.content ?? []).map(({ text }) => String(text ?? '')).join('\n')
}
