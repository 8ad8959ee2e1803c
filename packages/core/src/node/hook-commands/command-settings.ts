import { nearest } from '../../flags/nearest.js'
import { NacreError } from '../../nacre-error.js'
import { toolHooks } from './hook-kinds.js'

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
export function checkCommandSettings(settings: unknown, hookNames: readonly string[]): CommandSettings {
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
