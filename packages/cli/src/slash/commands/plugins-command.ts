import type { FlagState, Inspection, NacreError } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { padText } from '../text/pad-text.js'
import { paint } from '../text/paint.js'
import { wrapText } from '../text/wrap-text.js'

type LoadedPlugin = Inspection['plugins'][number]

/** The plugins as a tree: what each brings, how long its set-up took, and what went wrong with it. */
export const pluginsCommand: SlashCommand = {
  name: 'plugins',
  help: 'Shows the plugins as a tree: what each brings, how long its set-up took, its errors.',
  example: '/plugins',
  async run(args, context) {
    if (args !== '') return misuse('/plugins takes no arguments.', pluginsCommand, context)
    const { session, controls } = context.opened
    const { plugins } = await session.inspect()
    const flags = new Map(session.flags.list().map((flag) => [flag.name, flag]))
    const loaded = plugins.map((plugin) => ({ plugin, flag: flags.get(plugin.name) }))
    const names = new Set(plugins.map(({ name }) => name))
    const off = [...flags.values()].filter(({ name, value }) => !value && !name.includes('.') && !names.has(name))
    const errors = controls.errors()
    const lines = [
      ...loaded.flatMap(({ plugin, flag }) => branch(titleOf(plugin, flag), partsOf(plugin, errors), context)),
      ...off.flatMap(({ name, from }) => branch(`${name}, off (${from})`, errorsOf(name, errors), context)),
    ]
    const others = errors.filter(
      ({ details: { plugin } }) => plugin === undefined || (!names.has(plugin) && !flags.has(plugin)),
    )
    const rest = others.length > 0 ? branch('errors besides', counted(others), context) : []
    return { text: [...lines, ...rest].join('\n') }
  },
}

type Part = readonly [what: string, text: string]

function titleOf({ name, milliseconds }: LoadedPlugin, flag: FlagState | undefined): string {
  const who = flag === undefined ? `${name} (the program's own)` : name
  return `${who}, ${Math.round(milliseconds)} ms${flag?.value === false ? `, off (${flag.from})` : ''}`
}

function partsOf({ name, contribution }: LoadedPlugin, errors: readonly NacreError[]): readonly Part[] {
  const { tools = [], hooks = {}, commands = [], reliefs = [], restorers = [], prompt = [] } = contribution
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['tools', tools.map((tool) => tool.name)],
    ['hooks', Object.keys(hooks)],
    ['commands', commands.map((command) => `/${command.name}`)],
    ['reliefs', reliefs.map((relief) => `${relief.name} (${relief.rung})`)],
    ['restores', restorers.map((restorer) => restorer.name)],
    ['prompt', prompt.map((section) => section.name)],
  ]
  const brings = lists.filter(([, names]) => names.length > 0).map(([what, names]): Part => [what, names.join(', ')])
  return [...brings, ...errorsOf(name, errors)]
}

function errorsOf(name: string, errors: readonly NacreError[]): readonly Part[] {
  return counted(errors.filter(({ details }) => details.plugin === name))
}

/** What fails at every turn is said once, with how often it was. */
function counted(errors: readonly NacreError[]): readonly Part[] {
  const times = new Map<string, number>()
  for (const { message } of errors) times.set(message, (times.get(message) ?? 0) + 1)
  return [...times].map(([message, count]) => ['error', count > 1 ? `${message} (${count} times)` : message])
}

const LABEL = 8

function branch(title: string, parts: readonly Part[], { width, hasColour }: SlashContext): string[] {
  const lines = parts.flatMap(([what, text], index) => {
    const isLast = index === parts.length - 1
    const margin = width >= 50 ? LABEL + 4 : 4
    const wrapped = wrapText(cleanText(text), width, margin)
    const label = `${isLast ? '└' : '├'} ${padText(what, margin > 4 ? LABEL + 1 : 0)}`
    const rest = margin > 4 ? wrapped.slice(1) : wrapped
    const beside = margin > 4 ? ` ${(wrapped[0] ?? '').trimStart()}` : ''
    const trunk = (line: string) => (isLast ? line : `│${line.slice(1)}`)
    const all = [`${label}${beside}`.trimEnd(), ...rest.map(trunk)]
    return what === 'error' ? all.map((line) => paint(line, 'red', hasColour)) : all
  })
  return [...wrapText(cleanText(title), width).map((line) => paint(line, 'bold', hasColour)), ...lines]
}
