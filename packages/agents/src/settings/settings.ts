import { type Awaitable, type Model, NacreError, type Timer } from '@nacre/core'

/** Switches of the package; known outside as `agents.name`. */
export type AgentsFlag = 'fork' | 'background' | 'messages' | 'summaries' | 'memory'

export const FLAGS: Readonly<Record<AgentsFlag, boolean>> = {
  fork: true,
  background: true,
  messages: true,
  summaries: true,
  memory: true,
}

export interface AgentsOptions {
  /** The person's home: definitions and memory of the person are below it. None are read without it. */
  readonly home?: string
  /** The project's root. Only for a folder that the person trusts: its definitions say what agents are told. */
  readonly project?: string
  /** Where worktrees and mailboxes are kept; worktrees and teams need it. */
  readonly data?: string
  /** Makes the model that a definition or a call names, such as `haiku`. Without it agents have the session's model. */
  model?(name: string): Awaitable<Model>
  readonly limits?: Partial<AgentLimits>
  /** Other processes with the same team can be written to by their names. */
  readonly team?: TeamMembership
  /** Listens for messages of other sessions of the same person on a Unix socket; not unless told. */
  readonly socket?: boolean
  readonly effects?: Partial<AgentEffects>
}

export interface TeamMembership {
  readonly team: string
  /** The name of this process in it. */
  readonly name: string
}

/** How far an agent may go. The parent's runtime keeps them: an agent that hangs can not. */
export interface AgentLimits {
  /** Agents that run at the same time; others wait. */
  readonly atOnce: number
  /** Milliseconds from its start. */
  readonly deadline: number
  readonly turns: number
  /** All that it sends and gets, the cached part included. */
  readonly tokens: number
  readonly dollars: number
  /** Milliseconds that a question to a person may wait. */
  readonly question: number
}

/** Time and chance, which tests pass in. */
export interface AgentEffects {
  readonly timer: Timer
  newId(): string
}

const MINUTE = 60_000

const LIMITS: AgentLimits = {
  atOnce: 50,
  deadline: 30 * MINUTE,
  turns: 200,
  tokens: 50_000_000,
  dollars: Number.POSITIVE_INFINITY,
  question: 5 * MINUTE,
}

/** What the options come to. */
export interface Settings extends Omit<AgentsOptions, 'limits' | 'effects'> {
  readonly limits: AgentLimits
  readonly effects: AgentEffects
}

export function readSettings({ limits = {}, effects = {}, ...options }: AgentsOptions): Settings {
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in LIMITS)) {
      const known = Object.keys(LIMITS).join(', ')
      throw new NacreError('INVALID_SETTINGS', `There is no limit '${name}' for agents; there are ${known}.`)
    }
    if (typeof value !== 'number' || !(value > 0)) {
      throw new NacreError('INVALID_SETTINGS', `The limit '${name}' of agents has to be above 0; it is ${value}.`)
    }
  }
  return { ...options, limits: { ...LIMITS, ...limits }, effects: { ...realEffects, ...effects } }
}

const realEffects: AgentEffects = {
  timer(milliseconds, fire) {
    // Longer ones would fire at once.
    const handle = setTimeout(fire, Math.min(milliseconds, 2 ** 31 - 1))
    return () => clearTimeout(handle)
  },
  newId: () => crypto.randomUUID(),
}
