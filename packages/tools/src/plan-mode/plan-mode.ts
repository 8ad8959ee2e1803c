import {
  type Command,
  type Dispatcher,
  definePlugin,
  type Edit,
  estimateText,
  type HookContext,
  type Hooks,
  type Id,
  type Plugin,
  type Restored,
  type Restorer,
  type View,
} from '@nacre/core'
import { readSmallFile } from '@nacre/core/node'
import { headOf } from '../text.js'
import { announcedMode, isPlanning, OWNER, type Plan, planEntries, readPlan, todosNow } from './plan-state.js'
import {
  askForApproval,
  deniedInPlanMode,
  enterPlanMode,
  exitPlanMode,
  PLAN_MODE_OFF,
  PLAN_MODE_ON,
} from './plan-tools.js'

/** First a plan, then a person's yes, then the work. The tools are there in both modes, so that no mode changes the prefix. */
export function planMode(): Plugin {
  return definePlugin({
    name: OWNER,
    // For calls in forks: a tool can not tell where it is called.
    scope: 'all',
    setup({ sessionId }) {
      const beside = new Set<Id>()
      return {
        tools: [enterPlanMode, exitPlanMode(sessionId, (call) => beside.delete(call))],
        restorers: [modeRestorer, planRestorer],
        commands: [planCommand],
        hooks: planHooks(beside),
      }
    },
  })
}

/** `beside` takes the calls that hand in a plan which is not that of the conversation. */
function planHooks(beside: Set<Id>): Hooks {
  const entered = new WeakSet<Dispatcher>()
  return {
    PreToolUse({ call, tool }, { source, view, hooks }) {
      const isFork = source !== 'main'
      if (isFork && call.name === 'ExitPlanMode') beside.add(call.id)
      // The forks of layers judge their calls themselves, whatever the mode of the conversation is.
      if (!isPlanning(view()) || (isFork && !entered.has(hooks))) return undefined
      const input = tool.schema.parse(call.input)
      // Asked here too: the yes of another gate spares the question of the tool, but not that of a gate.
      if (call.name === 'ExitPlanMode') return { verdict: 'ask', reason: askForApproval(String(Object(input).plan)) }
      if (tool.isReadOnly(input) === true) return undefined
      return { verdict: 'deny', reason: deniedInPlanMode(call.name) }
    },
    PostToolUse({ call }, { hooks }) {
      if (call.name === 'EnterPlanMode') entered.add(hooks)
    },
    PreModelCall({ view }, { note }) {
      const isOn = isPlanning(view)
      if (isOn !== announcedMode(view)) {
        note({ text: isOn ? PLAN_MODE_ON : PLAN_MODE_OFF, trust: 'runtime', tag: OWNER })
      }
    },
    // Only what is in the log has been told: a note that got lost on the way is given again.
    async ViewChanged({ edit }, { store }) {
      const told = announcedBy(edit)
      if (told !== undefined) await store.append(planEntries({ told }))
    },
  }
}

function announcedBy({ owner, changes }: Edit): boolean | undefined {
  const notes = changes.flatMap((change) => (change.kind === 'insert' ? [change.note] : []))
  const own = owner === OWNER ? notes.findLast(({ tag }) => tag === OWNER) : undefined
  return own && own.text === PLAN_MODE_ON
}

/** Shows and switches plan mode for people. The model is told with the next request. */
const planCommand: Command = {
  name: 'plan',
  help: 'Shows plan mode and the plan. `on` and `off` switch the mode, `done` says that the plan is carried out.',
  async run(args, context) {
    const wanted = args.trim()
    if (wanted === '') return shownPlan(context)
    if (wanted === 'on' || wanted === 'off') return switchMode(context, wanted === 'on')
    if (wanted === 'done') return finishPlan(context)
    return `Unknown: ${wanted}. Say /plan, /plan on, /plan off or /plan done.`
  },
}

function shownPlan({ view }: HookContext): string {
  const mode = `Plan mode is ${isPlanning(view()) ? 'on' : 'off'}.`
  const plan = readPlan(view())
  if (!plan) return `${mode} There is no plan.`
  const state = planStatus(view(), plan) === 'consumed' ? 'done' : 'approved'
  return `${mode}\nThe plan (${state}${plan.file === null ? '' : `, ${plan.file}`}):\n\n${plan.text}`
}

async function switchMode({ view, store }: HookContext, mode: boolean): Promise<string> {
  const word = mode ? 'on' : 'off'
  if (isPlanning(view()) === mode) return `Plan mode is ${word} already.`
  await store.append(planEntries({ mode }))
  return `Plan mode is ${word}.`
}

async function finishPlan({ view, store }: HookContext): Promise<string> {
  const plan = readPlan(view())
  if (!plan) return 'There is no plan.'
  await store.append(planEntries({ plan: { ...plan, isDone: true } }))
  return 'The plan is done.'
}

/** Says after a fold that plan mode is still on. */
const modeRestorer: Restorer = {
  name: 'plan-mode',
  isFirst: true,
  restore: ({ view }) => (isPlanning(view) ? [{ what: 'plan mode', text: PLAN_MODE_ON, status: 'live' }] : []),
}

/** Brings the plan back as it was approved: whoever writes to its file later has not been given that yes. */
const planRestorer: Restorer = {
  name: 'plan',
  isFirst: true,
  async restore({ view, signal }) {
    const plan = readPlan(view)
    if (!plan) return []
    const origin = await describeOrigin(plan, signal)
    const shorten = (tokens: number) => shortened(plan, origin, tokens)
    return [{ what: 'plan', text: `${origin}\n\n${plan.text}`, status: planStatus(view, plan), shorten }]
  },
}

/** A plan that finds no room whole, with words on where it is whole. */
function shortened({ file, text }: Plan, origin: string, tokens: number): Pick<Restored, 'text' | 'cut'> {
  const rest = file === null ? 'The person can see all of it with /plan.' : `Read ${file} for the others.`
  const room = tokens - estimateText(`${origin}\n\n`)
  const { lines, marker, cut } = headOf(text.split('\n'), room, { rest })
  return { text: [origin, '', ...lines, marker].join('\n').trimEnd(), ...(cut !== undefined && { cut }) }
}

/**
 * In force while it is worked on. Done when a person says so, or when every item of a todo list that was written since
 * the approval is completed. While a new plan is made, the old one is no more than something to look at.
 */
function planStatus(view: Pick<View, 'state'>, plan: Plan): Restored['status'] {
  if (plan.isDone) return 'consumed'
  if (isPlanning(view)) return 'reference'
  const { hash, areAllDone } = todosNow(view)
  return areAllDone && hash !== plan.todos ? 'consumed' : 'live'
}

async function describeOrigin({ file, text }: Plan, signal: AbortSignal): Promise<string> {
  if (file === null) return 'The plan as a person approved it:'
  const now = await readSmallFile(file, { signal }).catch(() => undefined)
  const isSame = now?.toString().trimEnd() === text.trimEnd()
  return `The plan as a person approved it${isSame ? '' : ` (the file has changed since)`}. File: ${file}`
}
