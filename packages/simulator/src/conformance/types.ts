import type { SimulatedModel } from '../index.js'

/** What an author gives to the kit. */
export interface ConformanceOptions {
  readonly createSession: CreateSession
  /** A model that talks to this address; the kit gives it to `createSession` as it is. */
  readonly model: (baseURL: string) => unknown
  /** A list where one thing is made of several. */
  readonly plugin: PluginLike | readonly PluginLike[]
  /** Plugins that this one requires, in order; they are on in every session of the kit. */
  readonly beside?: readonly (PluginLike | readonly PluginLike[])[]
  /** Calls of the plugin's own tools that the conversations may make. Without them only tools of the kit are called. */
  readonly calls?: readonly PlannedCall[]
  /** Answers what is asked beside the conversation, by forks say; a summary of the prompt unless told. */
  readonly answers?: SimulatedModel
  /** How many conversations; 4 unless told, which meets every fault once. */
  readonly runs?: number
  /** Of the first conversation; the next one has the next number. */
  readonly seed?: number
}

/** A tool call that the model of a conversation makes. */
export interface PlannedCall {
  readonly name: string
  readonly input: { readonly [key: string]: string | number | boolean }
}

/** What is checked of a plugin, by name. */
export const CHECKS = {
  starts: 'a session with the plugin starts',
  accepted: 'every request keeps the rules of the API: pairs, roles, fields',
  'last-prompt': 'the last prompt of the person is whole in every request',
  'frozen-prefix': 'a request extends the one before it to the byte, up to where an edit was made',
  'never-grows': 'an edit of what was sent before never makes the view larger',
  'off-adds-nothing': 'switched off, the plugin adds nothing',
  'sessions-apart': 'two sessions with the same plugin share no state',
  'goes-on': 'a session goes on after an abort and after a fault',
  disposes: 'the plugin can be disposed, also twice',
  resumes: 'a session that is closed and resumed sends what it would have sent',
  'hooks-hold': 'no hook fails where nothing was disturbed',
} as const

export type CheckName = keyof typeof CHECKS

/** Something that a plugin did not hold, with what it takes to see it again. */
export interface Finding {
  readonly check: CheckName
  /** `pluginConformance({ ..., seed, runs: 1 })` plays this very conversation again. */
  readonly seed: number
  /** What was done with the conversation: left alone, interrupted, resumed, struck by a fault … */
  readonly play: string
  /** The step of the conversation, from 0. */
  readonly step: number
  readonly detail: string
}

/** A finding before it is known where it was made. */
export type Problem = Pick<Finding, 'check' | 'step' | 'detail'>

export interface ConformanceReport {
  readonly findings: readonly Finding[]
  /** How many conversations were generated. */
  readonly runs: number
  /** How many requests went over the socket. */
  readonly requests: number
}

/** What the kit reads of an entry of a session's log. The simulator knows no other package, so it says this itself. */
export interface EntryLike {
  readonly id: string
  readonly kind: string
  readonly owner?: string
  readonly key?: string
  readonly value?: unknown
  readonly content?: readonly BlockLike[]
  readonly changes?: readonly ChangeLike[]
  readonly price?: { readonly freed: number }
}

export interface BlockLike {
  readonly type: string
  readonly [field: string]: unknown
}

/** One change of an edit, with the fields of all its kinds. */
export interface ChangeLike {
  readonly kind: string
  readonly target?: { readonly entry: string; readonly block: number }
  readonly content?: readonly BlockLike[]
  readonly span?: { readonly from: string; readonly to: string }
  readonly note?:
    | string
    | { readonly text: string; readonly inside?: { readonly entry: string; readonly block: number } }
  readonly epoch?: unknown
  readonly edit?: string
}

export interface EventLike {
  readonly type: string
}

/** What the kit asks of a session. */
export interface SessionLike {
  readonly id: string
  query(prompt?: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<EventLike>
  compact(): Promise<unknown>
  undo(): Promise<unknown>
  /** Begins anew, where a prompt finds no room. */
  clear?(): Promise<unknown>
  close(): Promise<void>
}

/** A plugin as the kit sees it: a name, and a setup that is the session's to call. */
export interface PluginLike {
  readonly name: string
  /** Whose flag turns it off, and whose name is on what it writes, where that is not its own. */
  readonly partOf?: string
  setup(context: never): unknown
}

/** `createSession` of the runtime. The kit calls it with options of its own making, which it can't name the types of. */
export type CreateSession = (options: never) => Promise<SessionLike>
