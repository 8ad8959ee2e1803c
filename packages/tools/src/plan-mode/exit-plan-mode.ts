import type { ToolContext } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool, textOf } from '../define-tool.js'
import { askForApproval } from './mode-words.js'
import { writePlan } from './plan-file.js'
import { isPlanning, planEntries } from './plan-state.js'
import { todosNow } from './todos-now.js'

const DESCRIPTION = `Hands in the plan that was made in plan mode. A person reads it and decides: approved, plan mode ends and the plan is to be carried out; refused, plan mode stays on.
Call it only in plan mode and only when nothing is unclear any more. Give the whole plan as Markdown: what will change and where, in which order, and how it will be checked.`

const input = z.object({ plan: z.string().trim().min(1).max(50_000).describe('The whole plan, as Markdown.') })

const IS_OFF = 'Plan mode is not on, so there is nothing to leave. Go on with the work.'

/** The tool that ends plan mode for a session, once a person has approved the plan. */
export function exitPlanMode(session: string): ShownTool<z.output<typeof input>> {
  return defineTool({
    name: 'ExitPlanMode',
    description: DESCRIPTION,
    input,
    // It writes the plan file: what passes without a question because it only reads must not end plan mode.
    traits: { isReadOnly: false, isConcurrencySafe: false, isCompactable: false },
    title: () => 'Hand in the plan',
    check({ plan }, { view }) {
      if (!view || !isPlanning(view)) return { verdict: 'deny', reason: IS_OFF }
      return { verdict: 'ask', reason: askForApproval(plan) }
    },
    async run({ plan }, context) {
      const { view, store } = context
      if (!view || !store || !isPlanning(view)) return errorResult(IS_OFF)
      const written = await save(session, plan, context)
      const file = 'file' in written ? written.file : null
      const approved = { text: plan, file, isDone: false, todos: todosNow(view).hash }
      await store.append(planEntries({ mode: false, told: true, plan: approved }))
      const place = 'file' in written ? `It is kept in ${written.file}.` : written.problem
      return `The plan is approved, and plan mode is off. ${place} Carry the plan out now.`
    },
    show: ({ plan }, result) => (result.isError ? textOf(result) : plan),
  })
}

/** Approved is approved: a disk that does not take the file is told of and stops nothing. */
async function save(
  session: string,
  plan: string,
  { cwd }: ToolContext,
): Promise<{ readonly file: string } | { readonly problem: string }> {
  try {
    return { file: await writePlan(cwd, session, plan) }
  } catch (error) {
    return { problem: `It could not be written to a file (${(error as Error).message}); the session keeps it.` }
  }
}
