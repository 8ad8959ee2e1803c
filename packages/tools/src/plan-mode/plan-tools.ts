import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Id, ToolContext } from '@nacre/core'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool, textOf } from '../define-tool.js'
import { hashOf } from '../hash.js'
import { PLANS_FOLDER, realPath } from '../paths.js'
import { isPlanning, planEntries, todosNow } from './plan-state.js'

/** What the model is told while plan mode is on. */
export const PLAN_MODE_ON = `Plan mode is on. Nothing may be changed now: calls of tools that change something are denied.
Read, search and ask until it is clear what to do. Then call ExitPlanMode with the plan; a person decides on it.`

/** What the model is told when somebody else has switched plan mode off. */
export const PLAN_MODE_OFF = 'Plan mode is off. Tools that change something can be used again.'

/** What a person is asked about a plan. The model reads it too when the answer is no. */
export function askForApproval(plan: string): string {
  return `A person has to approve this plan; without that, plan mode stays on.\n\n${plan}`
}

/** Why a call is denied while plan mode is on, and what to do instead. */
export function deniedInPlanMode(tool: string): string {
  return `Plan mode is on, and this call of ${tool} may change something, so it did not run. Go on with tools that only read, and put what this call was meant to do into the plan that you give to ExitPlanMode.`
}

const ENTER_DESCRIPTION = `Turns plan mode on: from then on tools that change something are denied, until a person has approved a plan.
For work that is large, hard to take back, or can be done in ways that the person should choose between. Not for small or clear tasks, and not for questions.`

/** Turns plan mode on. */
export const enterPlanMode = defineTool({
  name: 'EnterPlanMode',
  description: ENTER_DESCRIPTION,
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

const EXIT_DESCRIPTION = `Hands in the plan that was made in plan mode. A person reads it and decides: approved, plan mode ends and the plan is to be carried out; refused, plan mode stays on.
Call it only in plan mode and only when nothing is unclear any more. Give the whole plan as Markdown: what will change and where, in which order, and how it will be checked.`

const input = z.object({ plan: z.string().trim().min(1).max(50_000).describe('The whole plan, as Markdown.') })

const IS_OFF = 'Plan mode is not on, so there is nothing to leave. Go on with the work.'

/**
 * The tool that ends plan mode for a session, once a person has approved the plan. `isBeside`: whether a call is made
 * beside the conversation, whose plan keeps its file then.
 */
export function exitPlanMode(
  session: string,
  isBeside: (call: Id) => boolean = () => false,
): ShownTool<z.output<typeof input>> {
  return defineTool({
    name: 'ExitPlanMode',
    description: EXIT_DESCRIPTION,
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
      const { file, place } = isBeside(context.callId) ? NO_FILE : await savePlan(session, plan, context)
      const approved = { text: plan, file, isDone: false, todos: todosNow(view).hash }
      await store.append(planEntries({ mode: false, told: true, plan: approved }))
      return `The plan is approved, and plan mode is off.${place} Carry the plan out now.`
    },
    show: ({ plan }, result) => (result.isError ? textOf(result) : plan),
  })
}

interface SavedPlan {
  readonly file: string | null
  /** Where it is kept, in words. */
  readonly place: string
}

const NO_FILE: SavedPlan = { file: null, place: '' }

/** Approved is approved: a disk that does not take the file is told of and stops nothing. */
async function savePlan(session: string, plan: string, { cwd }: ToolContext): Promise<SavedPlan> {
  try {
    const file = await writePlan(cwd, session, plan)
    return { file, place: ` It is kept in ${file}.` }
  } catch (error) {
    const why = (error as Error).message
    return { file: null, place: ` It could not be written to a file (${why}); the session keeps it.` }
  }
}

/** Where the plan of a session lies, below the working directory. */
export function planFile(cwd: string, session: string): string {
  return join(cwd, PLANS_FOLDER, `${fileName(session)}.md`)
}

/** Writes a plan, whole or not at all, for its owner alone. Rejects where links would lead it out of its folder. */
async function writePlan(cwd: string, session: string, text: string): Promise<string> {
  const file = planFile(await realPath(cwd), session)
  if ((await realPath(file)) !== file) throw new Error(`${file} is, or lies behind, a link to another place`)
  await mkdir(dirname(file), { recursive: true })
  await writeFileAtomic(file, `${text.trimEnd()}\n`, { mode: 0o600 })
  return file
}

/** An id may be anything; one that had to be changed is told apart by a hash. */
function fileName(session: string): string {
  const safe = session.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 80)
  if (safe === session && safe !== '') return safe
  return `${safe}-${hashOf(session, 8)}`
}
