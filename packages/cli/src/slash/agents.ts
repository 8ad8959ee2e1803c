import type { AgentStatus, Team } from '@nacre/agents'
import { cleanText } from '../terminal/clean-text.js'
import { cutText, figures, paint, table } from './format.js'
import { entryLine } from './log.js'
import { absent } from './plugin-commands.js'
import {
  misuse,
  refusal,
  type SlashCommand,
  type SlashContext,
  type SlashOutput,
  say,
  startingWith,
} from './slash-command.js'

const WORDS = ['stop', 'read', 'open'] as const

/** Who works beside the conversation, and what to do about them. */
export const agentsCommand: SlashCommand = {
  name: 'agents',
  help: 'Lists the agents: who runs, on what, for how much, until when; stop, read or open <name> for one of them.',
  example: '/agents open reviewer',
  more: () => [
    ['stop <name>', 'ends one that runs; a message sets it to work again'],
    ['read <name>', 'shows its result, which then counts as read'],
    ['open <name>', 'shows its transcript'],
    ['@name text', 'at the prompt: sends a message to it'],
  ],
  complete(typed, { opened }) {
    const names = (opened.team()?.agents() ?? []).map(({ name }) => name)
    return startingWith(
      typed,
      WORDS.flatMap((word) => [`${word} `, ...names.map((name) => `${word} ${name}`)]),
    )
  },
  async run(args, context) {
    const { session } = context.opened
    const team = context.opened.team()
    if (!team || !session.flags.isOn('agents')) return refusal(absent('agents', session.flags.list()), context)
    if (args === '') return list(team, context)
    const [, what, name] = /^(stop|read|open)\s+(\S.*)$/.exec(args) ?? []
    if (what === undefined || name === undefined)
      return misuse(`'${args}' is nothing that /agents knows.`, agentsCommand, context)
    const agent = team.agents().find((each) => each.name === name.trim())
    if (!agent) {
      const names = team.agents().map((each) => each.name)
      return refusal(
        `There is no agent '${name}'. ${names.length > 0 ? `There are: ${names.join(', ')}.` : 'None was started yet.'}`,
        context,
      )
    }
    return act(what, agent, team, context)
  },
}

async function act(what: string, agent: AgentStatus, team: Team, context: SlashContext): Promise<SlashOutput> {
  const { name, state } = agent
  if (what === 'open') return transcript(agent, context)
  if (what === 'read') return say((await team.read(name)).text, context)
  if (state !== 'running') return refusal(`There is nothing to stop: ${name} ${stateOf(agent)}.`, context)
  await team.stop(name, 'the person stopped it')
  return say(
    `${name} is stopped. What it had found is kept: /agents read ${name}. A message sets it to work again: @${name} go on`,
    context,
  )
}

function list(team: Team, { opened, width, hasColour }: SlashContext): SlashOutput {
  const agents = team.agents()
  if (agents.length === 0) return { text: 'No agent was started yet.' }
  const cost = (name: string) => opened.session.cost(`agent:${name}`).dollars
  const now = Date.now()
  const rows = agents.map((agent) => {
    const isRunning = agent.state === 'running'
    const left = isRunning ? figures.duration(agent.until - now) : ''
    const unread = agent.result?.isRead === false ? 'unread' : ''
    return {
      cells: [cleanText(agent.name), agent.state, left, unread, figures.dollars(cost(agent.name))],
      ...(isRunning && { colour: 'cyan' as const }),
    }
  })
  const total = agents.reduce((sum, { name }) => sum + cost(name), 0)
  const sum = { cells: ['total', '', '', '', figures.dollars(total)], colour: 'bold' as const }
  const about = agents.map((agent) => cutText(cleanText(`${agent.name}: ${aboutOf(agent)}`), width))
  const titles = ['agent', 'state', 'time left', 'result', 'dollars']
  return { text: [...table({ titles, rows: [...rows, sum], width, hasColour }), '', ...about].join('\n') }
}

function aboutOf(agent: AgentStatus): string {
  const { type, task, doing, asks, reason, worktree } = agent
  const now = asks ? `asks: ${asks}` : doing
  const place = worktree ? `; its work is in ${worktree.path}` : ''
  return `${task} (${type})${now ? `; ${now}` : ''}${reason ? `; ${reason}` : ''}${place}`
}

function stateOf({ state, reason }: AgentStatus): string {
  return state === 'done' ? 'has finished' : `has ended: ${reason ?? state}`
}

/** What was said and done in an agent, a line for each entry of its log. */
async function transcript({ name, log, mode }: AgentStatus, context: SlashContext): Promise<SlashOutput> {
  const { session, controls } = context.opened
  const entries = (await controls.store.peek?.(`${session.id}//${log}`)) ?? []
  // A fork begins with all that its parent had said.
  const start = mode === 'fork' ? entries.findIndex((entry) => JSON.stringify(entry).includes('<fork-directive')) : 0
  const shown = entries.slice(Math.max(0, start)).filter(({ kind }) => kind !== 'state')
  if (shown.length === 0) return say(`Nothing was said in ${name} yet.`, context)
  const head = paint(
    `${name}, ${figures.counted(shown.length, 'entry').replace('entrys', 'entries')}`,
    'bold',
    context.hasColour,
  )
  return { text: [head, ...shown.map((entry) => entryLine(entry, context))].join('\n') }
}
