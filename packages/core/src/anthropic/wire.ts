import type { Block } from '../log/entry.js'

/** Usage as the API reports it; later events overwrite what earlier ones said. */
export interface WireUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens?: number | null
    readonly ephemeral_1h_input_tokens?: number | null
  } | null
  /** Of the extension that deletes from the cache. */
  readonly cache_deleted_input_tokens?: number | null
  readonly iterations?: readonly (WireUsage & { readonly type: string })[] | null
}

export interface WireDelta {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly partial_json?: string
  readonly citation?: unknown
  readonly content?: string | null
  readonly encrypted_content?: string | null
}

/** Events of a stream, as far as they are read here. */
export type WireEvent =
  | {
      readonly type: 'message_start'
      readonly message: {
        readonly id: string
        readonly usage: WireUsage
        readonly input_transformations?: readonly { readonly type: string; readonly path: string }[] | null
      }
    }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: Block }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: WireDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta'
      readonly delta: { readonly stop_reason?: string | null }
      readonly usage?: WireUsage | null
    }
  | { readonly type: 'message_stop' }
