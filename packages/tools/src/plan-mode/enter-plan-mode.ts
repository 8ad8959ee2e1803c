import { z } from 'zod'
import { defineTool, errorResult, textOf } from '../define-tool.js'
import { PLAN_MODE_ON } from './mode-words.js'
import { isPlanning, planEntries } from './plan-state.js'

const DESCRIPTION = `Turns plan mode on: from then on tools that change something are denied, until a person has approved a plan.
For work that is large, hard to take back, or can be done in ways that the person should choose between. Not for small or clear tasks, and not for questions.`

/** Turns plan mode on. */
export const enterPlanMode = defineTool({
  name: 'EnterPlanMode',
  description: DESCRIPTION,
  input: z.object({}),
  traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
  title: () => 'Enter plan mode',
  async run(_input, { view, store }) {
    if (!view || !store) return errorResult('There is no plan mode outside of a session.')
    if (isPlanning(view)) return 'Plan mode is on already.'
    await store.append(planEntries({ mode: true, told: true }))
    return PLAN_MODE_ON
  },
  show: (_input, result) => (result.isError ? textOf(result) : 'Plan mode is on.'),
})
