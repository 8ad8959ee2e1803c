import type { Command, HookContext, SetupContext } from '@nacre/core'
import { planStatus } from './plan-restorers.js'
import { isPlanning, planEntries, readPlan } from './plan-state.js'

type Store = SetupContext['store']

/** Shows and switches plan mode for people. The model is told with the next request. */
export function planCommand(store: Store): Command {
  return {
    name: 'plan',
    help: 'Shows plan mode and the plan. `on` and `off` switch the mode, `done` says that the plan is carried out.',
    async run(args, context) {
      const wanted = args.trim()
      if (wanted === '') return shown(context)
      if (wanted === 'on' || wanted === 'off') return switchMode(store, context, wanted === 'on')
      if (wanted === 'done') return finish(store, context)
      return `Unknown: ${wanted}. Say /plan, /plan on, /plan off or /plan done.`
    },
  }
}

function shown({ view }: HookContext): string {
  const mode = `Plan mode is ${isPlanning(view()) ? 'on' : 'off'}.`
  const plan = readPlan(view())
  if (!plan) return `${mode} There is no plan.`
  const state = planStatus(view(), plan) === 'consumed' ? 'done' : 'approved'
  return `${mode}\nThe plan (${state}${plan.file === null ? '' : `, ${plan.file}`}):\n\n${plan.text}`
}

async function switchMode(store: Store, { view }: HookContext, mode: boolean): Promise<string> {
  const word = mode ? 'on' : 'off'
  if (isPlanning(view()) === mode) return `Plan mode is ${word} already.`
  await store.append(planEntries({ mode }))
  return `Plan mode is ${word}.`
}

async function finish(store: Store, { view }: HookContext): Promise<string> {
  const plan = readPlan(view())
  if (!plan) return 'There is no plan.'
  await store.append(planEntries({ plan: { ...plan, isDone: true } }))
  return 'The plan is done.'
}
