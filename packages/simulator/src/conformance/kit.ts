import type { SimulatedModel } from '../replies/model.js'
import type { PlannedCall } from './plan.js'
import type { CreateSession, PluginLike } from './session-like.js'

/** What an author gives to the kit. */
export interface ConformanceOptions {
  readonly createSession: CreateSession
  /** A model that talks to this address; the kit gives it to `createSession` as it is. */
  readonly model: (baseURL: string) => unknown
  readonly plugin: PluginLike
  /** Plugins that this one requires, in order; they are on in every session of the kit. */
  readonly beside?: readonly PluginLike[]
  /** Calls of the plugin's own tools that the conversations may make. Without them only tools of the kit are called. */
  readonly calls?: readonly PlannedCall[]
  /** Answers what is asked beside the conversation, by forks say; a summary of the prompt unless told. */
  readonly answers?: SimulatedModel
  /** How many conversations; 4 unless told, which meets every fault once. */
  readonly runs?: number
  /** Of the first conversation; the next one has the next number. */
  readonly seed?: number
}
