import { readFile } from 'node:fs/promises'
import type { Restored, Restorer, View } from '@nacre/core'
import { PLAN_MODE_ON } from './mode-words.js'
import { isPlanning, type Plan, readPlan } from './plan-state.js'
import { todosNow } from './todos-now.js'

/** Says after a fold that plan mode is still on. */
export const modeRestorer: Restorer = {
  name: 'plan-mode',
  restore: ({ view }) => (isPlanning(view) ? [{ what: 'plan mode', text: PLAN_MODE_ON, status: 'live' }] : []),
}

/** Brings the plan back as it was approved: whoever writes to its file later has not been given that yes. */
export const planRestorer: Restorer = {
  name: 'plan',
  async restore({ view, signal }) {
    const plan = readPlan(view)
    if (!plan) return []
    const text = [await origin(plan, signal), '', plan.text].join('\n')
    return [{ what: 'plan', text, status: planStatus(view, plan) }]
  },
}

/**
 * In force while it is worked on. Done when a person says so, or when every item of a todo list that was written since
 * the approval is completed. While a new plan is made, the old one is no more than something to look at.
 */
export function planStatus(view: Pick<View, 'state'>, plan: Plan): Restored['status'] {
  if (plan.isDone) return 'consumed'
  if (isPlanning(view)) return 'reference'
  const { hash, areAllDone } = todosNow(view)
  return areAllDone && hash !== plan.todos ? 'consumed' : 'live'
}

async function origin({ file, text }: Plan, signal: AbortSignal): Promise<string> {
  if (file === null) return 'The plan as a person approved it:'
  const now = await readFile(file, { encoding: 'utf8', signal }).catch(() => undefined)
  const isSame = now?.trimEnd() === text.trimEnd()
  return `The plan as a person approved it${isSame ? '' : ` (the file has changed since)`}. File: ${file}`
}
