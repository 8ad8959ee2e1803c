import type { HookContext, HookKind, Hooks } from '../contract/hooks.js'
import { definePlugin, type Plugin } from '../contract/plugin.js'
import { callWithin } from '../hooks/call-within.js'
import { realTimer, type Timer } from '../hooks/timer.js'
import { isNacreError, NacreError } from '../nacre-error.js'
import { answerEvent } from './hook-commands/answer-event.js'
import { type CommandSettings, checkCommandSettings, type HookCommand } from './hook-commands/command-settings.js'
import { callOf, hookInput } from './hook-commands/hook-input.js'
import { hookKinds, toolHooks } from './hook-commands/hook-kinds.js'
import { matchesTool } from './hook-commands/matches-tool.js'
import { readAnswer } from './hook-commands/read-answer.js'
import { runCommand } from './hook-commands/run-command.js'

export interface CommandHookOptions {
  /** Hears of commands that ran but not as meant. By default a warning of the process. */
  report?(warning: NacreError): void
  /** Hooks that other plugins add, which settings may name too. */
  readonly kinds?: Readonly<Record<string, HookKind>>
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly timer?: Timer
}

/**
 * Binds hooks to the shell commands of a settings file. Those about tools are heard in forks and sub-agents as well: what
 * a person forbids is forbidden everywhere. The others are heard in the main conversation only.
 */
export function commandHooks(settings: CommandSettings, options: CommandHookOptions = {}): Plugin {
  const kinds = { ...hookKinds, ...options.kinds }
  const checked = checkCommandSettings(settings, Object.keys(kinds))
  const { report = (warning) => process.emitWarning(warning), environment = process.env, timer = realTimer } = options

  async function run(hook: string, kind: HookKind, command: HookCommand, event: object, at: HookContext, cwd: string) {
    const limits = { signal: at.signal, timeout: (command.timeout ?? 60) * 1000, timer }
    const input = hookInput(hook, event, at, cwd)
    try {
      const output = await callWithin(limits, (signal) =>
        runCommand({ command: command.command, input, cwd, environment, signal }),
      )
      return readAnswer(hook, kind, output)
    } catch (error) {
      if (at.signal.aborted) throw error
      return { error: commandError(error, command.command) }
    }
  }

  const handlerOf = (hook: string, kind: HookKind, commands: readonly HookCommand[], cwd: string) => {
    return (event: object, context: HookContext): unknown => {
      if (context.source !== 'main' && !toolHooks.has(hook)) return undefined
      const tool = callOf(hook, event)?.name ?? ''
      const asked = commands.filter(({ matcher }) => matcher === '*' || matchesTool(matcher, tool))
      const ask = asked.map((command) => (now: object) => run(hook, kind, command, now, context, cwd))
      const warn = (text: string, index: number) => {
        const message = `Command hook ${hook}, '${asked[index]?.command}': ${text}`
        report(new NacreError('HOOK_FAILED', message, { plugin: 'command-hooks', hook }))
      }
      return answerEvent({ hook, kind, event, context, ask, warn })
    }
  }

  return definePlugin({
    name: 'command-hooks',
    scope: 'all',
    setup: ({ cwd }) => {
      const bound = Object.entries(checked).map(([hook, commands]) => {
        // Each command has a timeout of its own, which may be longer than the dispatcher's.
        const timeout = Number.POSITIVE_INFINITY
        return [hook, { timeout, handler: handlerOf(hook, kinds[hook] as HookKind, commands, cwd) }]
      })
      return { hooks: Object.fromEntries(bound) as Hooks }
    },
  })
}

function commandError(error: unknown, command: string): NacreError {
  const code = isNacreError(error, 'HOOK_TIMEOUT') ? 'HOOK_TIMEOUT' : 'HOOK_FAILED'
  const message = error instanceof Error ? error.message : String(error)
  return new NacreError(code, `'${command}': ${message}`, { cause: error })
}
