import { definePlugin, type Edit, type Hooks, type Plugin, type SetupContext } from '@nacre/core'
import { enterPlanMode } from './enter-plan-mode.js'
import { exitPlanMode } from './exit-plan-mode.js'
import { askForApproval, deniedInPlanMode, PLAN_MODE_OFF, PLAN_MODE_ON } from './mode-words.js'
import { planCommand } from './plan-command.js'
import { modeRestorer, planRestorer } from './plan-restorers.js'
import { isPlanning, OWNER, planEntries, toldMode } from './plan-state.js'

/** First a plan, then a person's yes, then the work. The tools are there in both modes, so that no mode changes the prefix. */
export function planMode(): Plugin {
  return definePlugin({
    name: OWNER,
    setup: ({ sessionId, store }) => ({
      tools: [enterPlanMode, exitPlanMode(sessionId)],
      restorers: [modeRestorer, planRestorer],
      commands: [planCommand(store)],
      hooks: planHooks(store),
    }),
  })
}

function planHooks(store: SetupContext['store']): Hooks {
  return {
    PreToolUse({ call, tool }, { view }) {
      if (!isPlanning(view())) return undefined
      const input = tool.schema.parse(call.input)
      // Asked here too: the yes of another gate spares the question of the tool, but not that of a gate.
      if (call.name === 'ExitPlanMode') return { verdict: 'ask', reason: askForApproval(String(Object(input).plan)) }
      if (tool.isReadOnly(input)) return undefined
      return { verdict: 'deny', reason: deniedInPlanMode(call.name) }
    },
    PreModelCall({ view }, { note }) {
      const isOn = isPlanning(view)
      if (isOn !== toldMode(view)) {
        note({ text: isOn ? PLAN_MODE_ON : PLAN_MODE_OFF, trust: 'runtime', tag: OWNER })
      }
    },
    // Only what is in the log has been told: a note that got lost on the way is given again.
    async ViewChanged({ edit }) {
      const told = toldBy(edit)
      if (told !== undefined) await store.append(planEntries({ told }))
    },
  }
}

function toldBy({ owner, changes }: Edit): boolean | undefined {
  const notes = changes.flatMap((change) => (change.kind === 'insert' ? [change.note] : []))
  const own = owner === OWNER ? notes.findLast(({ tag }) => tag === OWNER) : undefined
  return own && own.text === PLAN_MODE_ON
}
