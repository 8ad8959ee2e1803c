import { bindingDigest, digest } from '../prompt/digest.js'
import type { Block } from '../wire.js'
import { createSeal, type Seal } from './seal.js'

/** What the signature of a thinking block holds. */
export interface Thought {
  readonly organization: string
  readonly model: string
  readonly tokens: number
  /** The digest of the text shown to the client; `null` when none was shown. */
  readonly shown: string | null
  /** The prefix it was made on; `null` for models that do not bind. */
  readonly prefix: Prefix | null
  /** The thinking it followed. */
  readonly trail: Trail
}

/** The thinking up to a point: the seal digest of the last block, and how many there are. */
export interface Trail {
  readonly last: string
  readonly length: number
}

export const NO_TRAIL: Trail = { last: '', length: 0 }

export function extendTrail({ length }: Trail, seal: string): Trail {
  return { last: digest(seal), length: length + 1 }
}

/** Where a conversation stood: its chain, and the two parts that a message can be told apart from. */
export interface Prefix {
  readonly chain: string
  readonly system: string
  readonly tools: string
}

/** What the signature of an on-demand compaction block holds. */
interface Compacted {
  readonly prefix: Prefix
  readonly summary: string
  readonly lastRole: string
  /** The digest of the tool changes that came with it. */
  readonly changes: string
}

/** What a seal holds of a summary's tool changes; none and an empty list are the same. */
export function changesDigest(changes: unknown): string {
  return bindingDigest({ type: 'tool_changes', changes })
}

export interface Seals {
  readonly thought: Seal<Thought>
  readonly compacted: Seal<Compacted>
}

export function createSeals(secret: string): Seals {
  return { thought: createSeal(`${secret}/thought`), compacted: createSeal(`${secret}/compacted`) }
}

export function isThinking(block: Block): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** The sealed text of a thinking block, whichever kind it is. */
export function sealedText(block: Block): string {
  return (block.type === 'thinking' ? block.signature : block.data) as string
}
