import { callWithin, realTimer, type Timer } from '../async.js'
import { isNacreError, NacreError } from '../errors.js'
import { nearest } from '../plugins/flags.js'
import type { HookContext, HookKind, Hooks } from '../types/hooks.js'
import { hookKinds } from '../types/hooks.js'
import { definePlugin, type Plugin } from '../types/plugin.js'
import { fitsWildcards } from './fits-wildcards.js'
import { answerEvent, callOf, hookInput, readAnswer, runCommand } from './run-hook.js'

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
    ...(options.kinds && { ownHooks: Object.keys(options.kinds) }),
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

export interface HookCommand {
  /** Runs in a shell. */
  readonly command: string
  /** Names of tools: `Bash|Edit*`. Only for hooks about a tool; without it all tools. */
  readonly matcher?: string
  /** Seconds; 60 unless told. */
  readonly timeout?: number
}

/** As it stands in a settings file: commands by the name of a hook. */
export type CommandSettings = Readonly<Record<string, readonly HookCommand[]>>

const FIELDS = ['command', 'matcher', 'timeout']
const FORM = '{ "matcher": "Bash|Edit*", "command": "…", "timeout": 60 }'

/** Throws INVALID_SETTINGS at the first thing that would not do what its writer meant. */
function checkCommandSettings(settings: unknown, hookNames: readonly string[]): CommandSettings {
  if (!isRecord(settings)) throw invalid(`Command hooks are an object with the names of hooks, not ${shown(settings)}.`)
  for (const [name, commands] of Object.entries(settings)) {
    if (!hookNames.includes(name)) {
      const near = nearest(name, hookNames)
      const hint = near ? ` Did you mean '${near}'?` : ''
      throw invalid(`There is no hook '${name}'.${hint} Hooks: ${hookNames.join(', ')}.`)
    }
    if (!Array.isArray(commands))
      throw invalid(`Hook ${name} takes a list of commands like ${FORM}, not ${shown(commands)}.`)
    for (const [index, command] of commands.entries()) checkCommand(`${name}[${index}]`, name, command)
  }
  return settings as CommandSettings
}

function checkCommand(where: string, hook: string, given: unknown): void {
  if (!isRecord(given)) throw invalid(`${where} is ${shown(given)}; it has the form ${FORM}.`)
  const unknown = Object.keys(given).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) throw invalid(`${where} has a field '${unknown}'; it has the form ${FORM}.`)
  const { command, matcher, timeout } = given
  if (typeof command !== 'string' || command.trim() === '') {
    throw invalid(`${where}.command is ${shown(command)}; it has to be a shell command.`)
  }
  if (matcher !== undefined && typeof matcher !== 'string') {
    throw invalid(`${where}.matcher is ${shown(matcher)}; it has to be a text like 'Bash|Edit*'.`)
  }
  if (matcher && matcher !== '*' && !toolHooks.has(hook)) {
    throw invalid(`${where}.matcher is for tools, and ${hook} is about none. Leave it out.`)
  }
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout <= 86_400)) {
    throw invalid(`${where}.timeout is ${shown(timeout)}; it has to be a number of seconds up to 86400.`)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}

function invalid(message: string): NacreError {
  return new NacreError('INVALID_SETTINGS', message)
}

/** The hooks that are about one tool: they have a matcher, and they are heard in forks and sub-agents too. */
const toolHooks: ReadonlySet<string> = new Set([
  'PrepareToolUse',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
])

/** Whether a tool's name fits a matcher: names with `*` and `?`, split by `|`. An empty matcher fits all. */
function matchesTool(matcher: string | undefined, tool: string): boolean {
  if (!matcher) return true
  return matcher.split('|').some((glob) => fitsWildcards(glob.trim(), tool, '?'))
}
