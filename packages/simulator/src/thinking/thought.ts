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
  /** The signature digest of the thinking block before it; empty when it was the first. */
  readonly before: string
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
