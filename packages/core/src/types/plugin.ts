import type { OwnSession } from './child.js'
import type { HookContext, Hooks } from './hooks.js'
import type { Id, Rule } from './log.js'
import type { ModelInfo } from './model.js'
import type { Relief, Restorer } from './relief.js'
import type { SessionStore } from './store.js'
import type { Awaitable, Tool } from './tool.js'

/** One memory layer. `setup` runs once for each session it lives in, so its closure is the plugin's state. */
export interface Plugin<Flag extends string = string> {
  /** Unique in a session. Also the flag that turns the whole plugin off. */
  readonly name: string
  /**
   * Another plugin, earlier in the list, of which this is a part: it is off while that is, its flags are known as
   * `other.flag`, and what it writes belongs to the other.
   */
  readonly partOf?: string
  /** Plugins that must come earlier in the list. */
  readonly requires?: readonly string[]
  /** Feature flags and their defaults; known outside as `name.flag`. */
  readonly flags?: Readonly<Record<Flag, boolean>>
  /**
   * `main` (default): not set up in sub-agents, which only borrow its tools. `sessions`: set up in each of them anew. `all`:
   * that too, and its hooks hear forks.
   */
  readonly scope?: Scope
  /**
   * Names of hooks beyond those of core, which this plugin asks, or hears where somebody asks them. A handler under a name
   * that neither core nor a plugin in the list has is an error: it would never be heard.
   */
  readonly ownHooks?: readonly string[]
  setup(context: SetupContext<Flag>): Awaitable<Contribution>
}

export type Scope = 'main' | 'sessions' | 'all'

/** Plugins in order; what is made of several comes as a list of its own. */
export type PluginList = readonly (Plugin | readonly Plugin[])[]

export interface SetupContext<Flag extends string = string> {
  readonly sessionId: Id
  readonly cwd: string
  /** Of the session itself. What belongs to a conversation is written by the store of a hook or a tool: a fork has its own. */
  readonly store: SessionStore
  readonly model: ModelInfo
  /** For what no hook or tool does: messages from outside, and sessions below this one. */
  readonly session: OwnSession
  /** Off, too, while the whole plugin is. */
  flag(name: Flag): boolean
  now(): number
}

export interface Contribution {
  readonly hooks?: Hooks
  /** Looked at before each use, as `commands` are: a plugin whose tools come and go gives another list from a getter. */
  readonly tools?: readonly Tool[]
  readonly prompt?: readonly PromptSection[]
  readonly reliefs?: readonly Relief[]
  readonly restorers?: readonly Restorer[]
  readonly commands?: readonly Command[]
  dispose?(): Awaitable<void>
}

/** `static`: same for everyone. `session`: computed at startup, at a clear and at a fold from the start; changes in between are notes. */
export interface PromptSection {
  readonly name: string
  readonly scope: 'static' | 'session'
  text(context: SetupContext): Awaitable<string | undefined>
  /** The files that the last text was made of: receipts list them while that text is in force. */
  rules?(): readonly Rule[]
}

export interface Command {
  readonly name: string
  readonly help: string
  run(args: string, context: HookContext): Awaitable<string>
}

/** Returns the plugin unchanged; only sharpens its flag names. */
export function definePlugin<const Flag extends string = never>(plugin: Plugin<Flag>): Plugin<Flag> {
  return plugin
}

/** A flag as the layers below a live provider have it. */
export interface KnownFlag {
  readonly name: string
  readonly value: boolean
}

/** Flags that change while a session runs; stands above all other layers. */
export interface LiveFlags {
  /** Asked at each use, so it answers at once from what it has; `undefined` = no opinion. */
  read(name: string): boolean | undefined
  /** Called at the start of the session, where it is awaited, and at each turn, where it is not. Must not reject. */
  refresh?(known: readonly KnownFlag[]): Promise<void>
}
