import type { Contribution, FlagState, HookName, Hooks, Inspection, NacreError } from '@nacre/core'
import { cleanText } from '../terminal/clean-text.js'
import { definitions, padText, paint, table, wrapText } from './format.js'
import { misuse, type SlashCommand, type SlashContext, type SlashOutput, say, startingWith } from './slash-command.js'

type LoadedPlugin = Inspection['plugins'][number]

/** The plugins as a tree: what each brings, how long its set-up took, and what went wrong with it. */
export const pluginsCommand: SlashCommand = {
  name: 'plugins',
  help: 'Shows the plugins as a tree: what each brings, how long its set-up took, its errors.',
  example: '/plugins',
  async run(args, context) {
    if (args !== '') return misuse('/plugins takes no arguments.', pluginsCommand, context)
    const { session, controls } = context.opened
    const plugins = byOwner((await session.inspect()).plugins)
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

/** What is made of several plugins is one to people. */
function byOwner(plugins: readonly LoadedPlugin[]): readonly LoadedPlugin[] {
  const owners = [...new Set(plugins.map(({ owner }) => owner))]
  return owners.map((owner) => {
    const parts = plugins.filter((plugin) => plugin.owner === owner)
    const all = <Item>(pick: (contribution: Contribution) => readonly Item[] | undefined) =>
      parts.flatMap(({ contribution }) => pick(contribution) ?? [])
    const contribution = {
      tools: all(({ tools }) => tools),
      hooks: Object.assign({}, ...parts.map((part) => part.contribution.hooks)) as Hooks,
      commands: all(({ commands }) => commands),
      reliefs: all(({ reliefs }) => reliefs),
      restorers: all(({ restorers }) => restorers),
      prompt: all(({ prompt }) => prompt),
    }
    const milliseconds = parts.reduce((sum, part) => sum + part.milliseconds, 0)
    return { ...(parts[0] as LoadedPlugin), name: owner, contribution, milliseconds }
  })
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

/** Which plugin listens to what, in the order in which they are asked. */
export const hooksCommand: SlashCommand = {
  name: 'hooks',
  help: 'Shows which plugins listen to which hook, in the order in which they are asked.',
  example: '/hooks',
  async run(args, context) {
    if (args !== '') return misuse('/hooks takes no arguments.', hooksCommand, context)
    const { session } = context.opened
    const { plugins } = await session.inspect()
    const states = new Map(session.flags.list().map(({ name, value }) => [name, value]))
    const listeners = listenersIn(plugins)
    if (listeners.size === 0) return say('No plugin listens to any hook.', context)
    const terms = [...listeners].map(([hook, all]) => {
      const names = inOrder(all).map(({ plugin, order }) => {
        const notes = [...(order === 'normal' ? [] : [order]), ...(states.get(plugin) === false ? ['off'] : [])]
        return notes.length > 0 ? `${plugin} (${notes.join(', ')})` : plugin
      })
      return [hook, cleanText(names.join(', '))] as const
    })
    return { text: definitions(terms, context).join('\n') }
  },
}

interface Listener {
  readonly plugin: string
  readonly order: 'pre' | 'normal' | 'post'
}

const ORDERS = ['pre', 'normal', 'post'] as const

function inOrder(listeners: readonly Listener[]): readonly Listener[] {
  return ORDERS.flatMap((order) => listeners.filter((listener) => listener.order === order))
}

function listenersIn(plugins: Inspection['plugins']): ReadonlyMap<string, readonly Listener[]> {
  const found = new Map<string, Listener[]>()
  for (const { owner: plugin, contribution } of plugins) {
    for (const hook of Object.keys(contribution.hooks ?? {}) as HookName[]) {
      const placed = contribution.hooks?.[hook]
      if (!placed) continue
      const order = typeof placed === 'function' ? 'normal' : (placed.order ?? 'normal')
      const known = found.get(hook) ?? []
      // What is made of several plugins is one to people.
      if (!known.some((other) => other.plugin === plugin && other.order === order))
        found.set(hook, [...known, { plugin, order }])
    }
  }
  return found
}

const VALUES: Readonly<Record<string, boolean | undefined>> = { on: true, off: false, reset: undefined }

/** Lists the flags with where each has its value from, and switches one for the session. */
export const flagsCommand: SlashCommand = {
  name: 'flags',
  help: 'Lists the flags and where each has its value from; <name> on|off switches one for this session, reset takes that back.',
  example: '/flags compact.clear off',
  complete(typed, { opened }) {
    const [name = '', ...rest] = typed.split(/\s+/)
    if (rest.length > 0) return startingWith(rest.join(' '), Object.keys(VALUES)).map((value) => `${name} ${value}`)
    return startingWith(
      name,
      opened.session.flags.list().map((flag) => flag.name),
    )
  },
  async run(args, context) {
    const { flags } = context.opened.session
    const [name = '', value, ...more] = args.split(/\s+/)
    if (name === '') return listed(flags.list(), context)
    if (more.length > 0) return misuse(`'${more.join(' ')}' is too much.`, flagsCommand, context)
    // Throws with the nearest name where nobody has such a flag.
    flags.isOn(name)
    if (value === undefined)
      return listed(
        flags.list().filter((flag) => belongsTo(flag, name)),
        context,
      )
    if (!(value in VALUES)) return misuse(`A flag is on or off, not '${value}'.`, flagsCommand, context)
    return switched(name, VALUES[value], context)
  },
}

function belongsTo(flag: FlagState, name: string): boolean {
  return flag.name === name || flag.name.startsWith(`${name}.`)
}

function listed(flags: readonly FlagState[], { width, hasColour }: SlashContext): SlashOutput {
  const rows = flags.map(({ name, value, from }) => ({
    cells: [name, value ? 'on' : 'off', from === 'live' ? 'this session' : from],
    colour: value ? ('green' as const) : ('red' as const),
  }))
  return { text: table({ titles: ['flag', 'value', 'from'], rows, width, hasColour }).join('\n') }
}

async function switched(name: string, value: boolean | undefined, context: SlashContext): Promise<SlashOutput> {
  const { session, controls } = context.opened
  controls.setFlag(name, value)
  const { value: now, from } = session.flags.list().find((flag) => flag.name === name) as FlagState
  const origin =
    from === 'live' ? 'for this session' : `again as ${from === 'default' ? 'by default' : `the ${from} have it`}`
  const { plugins } = await session.inspect()
  const isSetUp = plugins.some((plugin) => plugin.name === name.split('.')[0])
  const late =
    now && !isSetUp ? ' It was off when the session was opened, so it comes in when the session is resumed.' : ''
  return say(`${name} is ${now ? 'on' : 'off'}, ${origin}.${late}`, context)
}
