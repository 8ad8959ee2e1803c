import type { Block, BlockRef, Json } from '../log/entry.js'

/** A block of the request, with the plugin that put it there. */
export interface RenderedBlock {
  readonly block: Block
  readonly owner: string
  readonly ref?: BlockRef
  /** Its estimated tokens where its words do not tell: the server leaves it out, or it deletes others. */
  readonly weight?: number
}

export interface RenderedMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: readonly RenderedBlock[]
  /** The hash of everything up to and with this message. */
  readonly chain: string
  /** Estimated tokens of all messages before this one; tokens and blocks of all up to and with it. */
  readonly start: number
  readonly tokens: number
  readonly position: number
  /** As it is sent without a marker; made once, when it is first sent. */
  sent?: SentMessage | undefined
}

export interface SentMessage {
  readonly role: string
  readonly content: readonly Block[]
}

/** Blocks are JSON, which their type does not say: they come from servers and plugins. */
export function toJson(messages: readonly SentMessage[]): Json[] {
  return messages as readonly unknown[] as Json[]
}

/** The owners of what no plugin changed. */
export const PERSON = 'user'
export const MODEL = 'assistant'
