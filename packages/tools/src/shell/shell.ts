import { resolve } from 'node:path'
import { definePlugin, type Plugin, type Restored } from '@nacre/core'
import { bashTools } from './bash-tools.js'
import type { ShellOptions } from './shell-options.js'
import { keptFolder, SHELL } from './shell-state.js'
import { firstLine } from './visible-text.js'

/** Gives a session a shell: Bash, BashOutput and KillBash. What still runs ends with the session. */
export function shell(options: ShellOptions = {}): Plugin {
  return definePlugin({
    name: SHELL,
    setup({ cwd }) {
      const { bash, bashOutput, killBash, tasks, running, close } = bashTools(options)
      return {
        tools: [bash, bashOutput, killBash],
        commands: [tasks],
        restorers: [
          {
            name: SHELL,
            restore: ({ view }) => restored(keptFolder(view) ?? resolve(cwd), resolve(cwd), running()),
          },
        ],
        dispose: close,
      }
    },
  })
}

const COMMAND_CHARS = 200

/** A fold takes away where a `cd` has led and what was started: both still hold. */
function restored(folder: string, home: string, running: readonly { id: string; command: string }[]): Restored[] {
  const moved = `The working folder of Bash is ${folder}.`
  const jobs = running.map(({ id, command }) => `${id}: ${firstLine(command).slice(0, COMMAND_CHARS)}`)
  return [
    ...(folder === home ? [] : [{ what: 'working folder', text: moved, status: 'live' as const }]),
    ...(jobs.length > 0
      ? [{ what: 'commands in the background', text: jobs.join('\n'), status: 'live' as const }]
      : []),
  ]
}
