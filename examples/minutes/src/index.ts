import { definePlugin, type Plugin } from '@nacre/core'
import { agendaRestorer } from './agenda-restorer.js'
import { agendaTool } from './agenda-tool.js'
import { minutesCommand } from './minutes-command.js'
import { minutesRelief } from './minutes-relief.js'
import { needsMinutes, writeMinutes } from './write-minutes.js'

// Exported, so that the types of the package carry the hook that is declared beside it.
export type { Mention } from './minutes-hooks.js'

export interface MinutesOptions {
  /** Rounds between two minutes; 5 unless told. */
  readonly every?: number
}

/** Takes minutes of a conversation beside it, and folds by them when there is no room left. */
export function minutes({ every = 5 }: MinutesOptions = {}): Plugin<'background' | 'eager'> {
  return definePlugin({
    name: 'minutes',
    ownHooks: ['PreMinutes'],
    flags: { background: true, eager: false },
    setup({ flag }) {
      let isWriting = false
      return {
        prompt: [{ name: 'agenda', scope: 'static', text: () => 'Put what must not be forgotten on the agenda.' }],
        tools: [agendaTool],
        reliefs: [minutesRelief],
        restorers: [agendaRestorer],
        commands: [minutesCommand],
        hooks: {
          PostModelCall({ response, view }, { defer, fork, hooks, propose, store }) {
            if (isWriting || !flag('background') || !needsMinutes(view, response, every)) return
            isWriting = true
            defer(async (signal) => {
              const task = { view, store, hooks, fork, signal, ...(flag('eager') && { propose }) }
              await writeMinutes(task).finally(() => {
                isWriting = false
              })
            })
          },
        },
      }
    },
  })
}
