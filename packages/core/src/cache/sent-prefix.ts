import type { BlockPlace } from '../request/markers.js'
import type { RenderedMessage } from '../request/rendered.js'
import type { Place } from './first-difference.js'

/** A piece of the prefix, by hash, with the plugin it comes from. */
export interface OwnedHash {
  readonly hash: string
  readonly owner: string
  readonly name: string
  /** The block itself, to be shown to people who look for a difference. */
  readonly content?: unknown
}

/** An accepted edit, as far as it can be to blame. An entry of the log is one. */
export interface SentEdit {
  readonly owner: string
  readonly reason: string
  readonly price?: { readonly breaksAt: number | null }
}

/** What was sent, as far as the cache is concerned. */
export interface SentPrefix {
  /** Its key: names of one model share a cache. */
  readonly model: string
  /** Below it nothing is cached. */
  readonly cacheMinimum: number
  /** Thinking, effort, tool choice, betas: what is no block and still part of the key. */
  readonly settings: string
  readonly tools: readonly OwnedHash[]
  readonly system: readonly OwnedHash[]
  readonly messages: readonly RenderedMessage[]
  readonly markers: readonly BlockPlace[]
  /** Accepted since the last request of this source. */
  readonly edits: readonly SentEdit[]
  /** Whether a fold is among them: it makes another beginning, and nobody is to blame for that. */
  readonly isFolded: boolean
  /** When the request began, and how many milliseconds its markers live. */
  readonly time: number
  readonly lifetime: number
}

/** Where two requests part, and whose doing it is. */
export interface Divergence {
  readonly cause: 'model' | 'settings' | 'tools' | 'system' | 'edit'
  readonly owner: string
  /** What is otherwise, in words. */
  readonly what: string
  /** Why, where an edit says so. */
  readonly reason?: string
  readonly place?: Place
}
