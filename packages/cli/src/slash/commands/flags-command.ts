import type { FlagState } from '@nacre/core'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand, SlashContext, SlashOutput } from '../slash-command.js'
import { startingWith } from '../starting-with.js'
import { table } from '../text/table.js'

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
