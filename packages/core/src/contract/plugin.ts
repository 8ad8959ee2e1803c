import type { Rule } from '../log/edit.js'
import type { Id } from '../log/entry.js'
import type { Awaitable } from './answer.js'
import type { HookContext, Hooks } from './hooks.js'
import type { ModelInfo } from './model.js'
import type { Relief, Restorer } from './relief.js'
import type { SessionStore } from './store.js'
import type { Tool } from './tool.js'

/** One memory layer. `setup` runs once for each session it lives in, so its closure is the plugin's state. */
export interface Plugin<Flag extends string = string> {
  /** Unique in a session. Also the flag that turns the whole plugin off. */
  readonly name: string
  /** Plugins that must come earlier in the list. */
  readonly requires?: readonly string[]
  /** Feature flags and their defaults; known outside as `name.flag`. */
  readonly flags?: Readonly<Record<Flag, boolean>>
  /** `main` (default): not set up in sub-agents, and its hooks do not hear forks. */
  readonly scope?: 'main' | 'all'
  setup(context: SetupContext<Flag>): Awaitable<Contribution>
}

export interface SetupContext<Flag extends string = string> {
  readonly sessionId: Id
  readonly cwd: string
  readonly store: SessionStore
  readonly model: ModelInfo
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
