import type { Awaitable } from '../contract/answer.js'
import type { Model } from '../contract/model.js'
import type { Plugin, PromptSection } from '../contract/plugin.js'
import type { Store } from '../contract/store.js'
import type { Tool, ToolCall } from '../contract/tool.js'
import type { FlagSources } from '../flags/flags.js'
import type { Id } from '../log/entry.js'
import type { NacreError } from '../nacre-error.js'
import type { Ttl } from '../request/markers.js'

export interface SessionOptions {
  readonly model: Model
  readonly plugins?: readonly Plugin[]
  /** The system prompt: a text that is the same for everyone, or sections. */
  readonly system?: string | readonly PromptSection[]
  readonly tools?: readonly Tool[]
  /** By name; those of plugins and of their parts. */
  readonly flags?: Readonly<Record<string, boolean>>
  /** In memory unless told: `fileStore()` of `@nacre/core/node` keeps sessions. */
  readonly store?: Store
  readonly cwd?: string
  /** A new session unless told. */
  readonly open?: OpenSession
  readonly details?: SessionDetails
}

/** Which session: a new one, one to go on with by its id or the latest, or a copy of one, up to an entry. */
export type OpenSession =
  | { readonly id: Id }
  | { readonly resume: Id | 'latest' }
  | { readonly fork: Id; readonly at?: Id }

/** What few sessions need to say. */
export interface SessionDetails {
  readonly limits?: SessionLimits
  /** Takes over for a turn in which the model stays overloaded. */
  readonly fallback?: Model
  /** Asks a person whether a call may run. Without it nobody is there, and the answer is no. */
  ask?(call: ToolCall, reason: string, signal: AbortSignal): Promise<PersonVerdict>
  /** How long the cache keeps what a session sends; five minutes unless told. */
  readonly ttl?: Ttl
  /** Flags from outside the program, above those of the options. */
  readonly flagSources?: Pick<FlagSources, 'settings' | 'environment' | 'live'>
  readonly senses?: Partial<Senses>
  /** Hears of what fails without ending a query: hooks of plugins, background work. Must not throw. */
  report?(error: NacreError): void
}

/** What a person says to a call; with `deny` in their own words, which the model reads. */
export type PersonVerdict = 'allow' | 'deny' | { readonly deny: string }

export interface SessionLimits {
  readonly maxTurns?: number
  readonly maxBudgetUsd?: number
  /** Tokens to stay within, where the window is larger than one wants to pay for. */
  readonly contextBudget?: number
}

/** Time and chance, which tests pass in. */
export interface Senses {
  now(): number
  newId(): Id
  random(): number
  wait(milliseconds: number, signal: AbortSignal): Awaitable<void>
}

export const realSenses: Senses = {
  now: Date.now,
  newId: () => crypto.randomUUID(),
  random: Math.random,
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, milliseconds)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    }),
}
