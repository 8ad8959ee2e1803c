import {
  type Command,
  type Contribution,
  definePlugin,
  type HookContext,
  type Model,
  type NoticeEntry,
  type Plugin,
  type Restored,
  type SetupContext,
  type Tool,
} from '@nacre/core'
import { type FoundTypes, findAgentTypes } from './definitions/definitions.js'
import { agentMemoryTool } from './memory/agent-memory.js'
import { type AgentsFlag, type AgentsOptions, FLAGS, readSettings, type Settings } from './settings/settings.js'
import { memoryOf } from './team/agent-life.js'
import { openPost, type Post } from './team/post.js'
import { createRoster, describeRecord, OWNER, recordsIn } from './team/roster.js'
import { createSlots } from './team/slots.js'
import { createTeam, type Team } from './team/team.js'
import { agentTool } from './tools/agent-tool.js'
import { agentsTool } from './tools/agents-tool.js'
import { sendMessageTool } from './tools/send-message.js'

/** Layer 7 for a program that wants to see its agents: the plugin, and the agents of each session that it lives in. */
export interface Agents {
  readonly plugin: Plugin<AgentsFlag>
  /** The agents of a session; `undefined` while it has not been set up, and when it is over. */
  of(sessionId: string): Team | undefined
}

/** Layer 7: agents that share the cache of their session and can not get lost. */
export function agents(options: AgentsOptions = {}): Plugin<AgentsFlag> {
  return createAgents(options).plugin
}

/** What one session has, for it and for the sub-agents below it. */
interface Home {
  readonly team: Team
  readonly found: FoundTypes
}

export function createAgents(options: AgentsOptions = {}): Agents {
  const settings = readSettings(options)
  const homes = new Map<string, Home>()
  const plugin = definePlugin<AgentsFlag>({
    name: OWNER,
    flags: FLAGS,
    scope: 'sessions',
    async setup(context) {
      if (context.session.source !== 'main') return contributeToChild(settings, context, homes)
      const found = await findAgentTypes(placesOf(settings))
      const main = openHome(settings, context, found)
      homes.set(context.sessionId, { team: main.team, found })
      const { hooks, dispose } = lifeHooks(settings, context, main, found, () => homes.delete(context.sessionId))
      return {
        tools: toolsOf(context, found, () => main.team, 'main'),
        hooks,
        dispose,
        restorers: [{ name: OWNER, restore: ({ view }) => restored(recordsIn(view), context.now()) }],
        commands: agentCommands(main.team, context.now),
      }
    },
  })
  return { plugin, of: (sessionId) => homes.get(sessionId)?.team }
}

function placesOf({ home, project }: Settings) {
  return { ...(home !== undefined && { home }), ...(project !== undefined && { project }) }
}

/** The tools, with the same bytes in a session and in the forks of it. */
function toolsOf(
  { flag, now }: SetupContext<AgentsFlag>,
  { types }: FoundTypes,
  team: () => Team | undefined,
  from: string,
): Tool[] {
  const own = () => (from === 'main' ? team() : undefined)
  return [
    agentTool({ types, flag, team: own }),
    agentsTool({ now, team: own }),
    ...(flag('messages') ? [sendMessageTool({ from, team })] : []),
  ]
}

/** A sub-agent has the tools as bytes, its way to the others, and its memory. */
function contributeToChild(
  settings: Settings,
  context: SetupContext<AgentsFlag>,
  homes: ReadonlyMap<string, Home>,
): Contribution {
  const home = homes.get(context.sessionId.split('//')[0] ?? '')
  if (!home) return {}
  const name = context.session.source.replace(/^agent:/, '')
  const record = home.team.agents().find((agent) => agent.name === name)
  const type = record && home.found.types.get(record.type)
  const memory = type && context.flag('memory') ? memoryOf(type, settings) : undefined
  return {
    tools: [
      ...toolsOf(context, home.found, () => home.team, name),
      ...(memory === undefined ? [] : [agentMemoryTool(memory)]),
    ],
  }
}

interface OpenHome {
  readonly team: Team
  started(context: HookContext): void
  setPost(post: Post): void
  post(): Post | undefined
}

function openHome(settings: Settings, context: SetupContext<AgentsFlag>, found: FoundTypes): OpenHome {
  const { store, session, sessionId, cwd, flag, now } = context
  let hooks: HookContext | undefined
  let post: Post | undefined
  const team = createTeam({
    settings,
    cwd,
    session,
    sessionId,
    store,
    roster: createRoster(store, () => hooks?.view()),
    slots: createSlots(settings.limits.atOnce),
    types: found.types,
    flag,
    now,
    hooks: () => hooks,
    model: modelsOf(settings, (text) => notify(context, text)),
    post: () => post,
  })
  return {
    team,
    post: () => post,
    started(context) {
      hooks = context
    },
    setPost(opened) {
      post = opened
    },
  }
}

/** Each model is made once. A name that nobody can make a model of is told once, and the session's model takes its place. */
function modelsOf({ model }: Settings, tell: (text: string) => void) {
  const made = new Map<string, Promise<Model | undefined>>()
  const make = async (name: string) => {
    if (!model) return undefined
    try {
      return await model(name)
    } catch (error) {
      tell(`The model '${name}' of an agent can not be had, so the session's own answers: ${(error as Error).message}`)
      return undefined
    }
  }
  return async (name: string | undefined): Promise<Model | undefined> => {
    if (name === undefined) return undefined
    const known = made.get(name) ?? make(name)
    made.set(name, known)
    return known
  }
}

function notify({ store }: SetupContext<AgentsFlag>, text: string, level: NoticeEntry['level'] = 'warning'): void {
  const notice: NoticeEntry = { kind: 'notice', id: '', time: 0, owner: OWNER, level, text }
  void store.append([notice]).catch(() => undefined)
}

function lifeHooks(
  settings: Settings,
  setup: SetupContext<AgentsFlag>,
  { team, started, setPost, post }: OpenHome,
  { problems }: FoundTypes,
  over: () => void,
): Required<Pick<Contribution, 'hooks' | 'dispose'>> {
  const end = async (reason: string) => {
    await team.close(reason)
    await post()?.close()
  }
  return {
    hooks: {
      async SessionStart({ source }, context) {
        // A fold and a clear begin anew in the same session: nobody was lost by them.
        if (source === 'compact' || source === 'clear') return
        started(context)
        for (const { file, line, message } of source === 'startup' ? problems : []) {
          notify(setup, `${file}:${line}: ${message}`)
        }
        if (source !== 'startup') await team.recover()
        if (!setup.flag('messages')) return
        setPost(
          await openPost({
            ...setup,
            settings,
            woken: team.woken,
            report: (text) => notify(setup, text),
          }),
        )
      },
      ViewChanged({ edit }) {
        if (edit.changes.some(({ kind }) => kind === 'drop')) team.forgetRewound()
      },
      SessionEnd: ({ reason }) => end(reason === 'closed' ? 'the session was closed' : reason),
    },
    async dispose() {
      await end('the session is over')
      over()
    },
  }
}

/** After a fold the session knows its agents from the log: who runs, who has ended, whose result nobody has read. */
function restored(records: ReturnType<typeof recordsIn>, now: number): Restored[] {
  const isOpen = (record: (typeof records)[number]) => record.state === 'running' || record.result?.isRead === false
  const open = records.filter(isOpen)
  const over = records.filter((record) => !isOpen(record))
  const list = (some: typeof records) => some.map((record) => describeRecord(record, now)).join('\n')
  const head = 'These agents were started already; none of them has to be started again.'
  return [
    ...(open.length > 0 ? [{ what: 'agents', text: `${head}\n${list(open)}`, status: 'live' as const }] : []),
    ...(over.length > 0 ? [{ what: 'agents that are over', text: list(over), status: 'consumed' as const }] : []),
  ]
}

const HELP = 'Lists the agents, what each does and costs; stop <name> ends one, read <name> shows its result.'

function agentCommands(team: Team, now: () => number): Command[] {
  const line = (agent: ReturnType<Team['agents']>[number]) => {
    const dollars = agent.dollars === undefined ? '' : ` $${agent.dollars.toFixed(4)}`
    return `${describeRecord(agent, now(), agent.doing)}${dollars}${agent.asks ? ` It asks: ${agent.asks}` : ''}`
  }
  return [
    {
      name: 'agents',
      help: HELP,
      async run(args) {
        const [what = '', ...rest] = args.trim().split(/\s+/)
        const name = rest.join(' ')
        if (what === '') return team.agents().map(line).join('\n') || 'No agent was started yet.'
        if (what === 'stop' && name !== '') return describeRecord(await team.stop(name, 'the person stopped it'), now())
        if (what === 'read' && name !== '') return (await team.read(name)).text
        return `'agents ${args.trim()}' can not be read. ${HELP}`
      },
    },
  ]
}
