import { createHmac } from 'node:crypto'
import { bindingDigest, digest } from '../measure/digest.js'
import type { Block } from '../wire/messages.js'

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

/** What the sealed part of a page that a search has found, or of a citation, holds. */
interface SealedPage {
  readonly url: string
  readonly text: string
}

export interface Seals {
  readonly thought: Seal<Thought>
  readonly compacted: Seal<Compacted>
  readonly page: Seal<SealedPage>
}

export function createSeals(secret: string): Seals {
  return {
    thought: createSeal(`${secret}/thought`),
    compacted: createSeal(`${secret}/compacted`),
    page: createSeal(`${secret}/page`),
  }
}

/** The sealed text of a thinking block, whichever kind it is. */
export function sealedText(block: Block): string {
  return (block.type === 'thinking' ? block.signature : block.data) as string
}

/** Turns data into an opaque text that only the holder of the secret can make. */
interface Seal<Payload> {
  close(payload: Payload): string
  /** `undefined` when the text was not made by `close`. */
  open(text: string): Payload | undefined
}

const MAC_LENGTH = 22

function createSeal<Payload>(secret: string): Seal<Payload> {
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('base64url').slice(0, MAC_LENGTH)
  return {
    close(payload) {
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return mac(body) + body
    },
    open(text) {
      const body = text.slice(MAC_LENGTH)
      if (mac(body) !== text.slice(0, MAC_LENGTH)) return undefined
      return JSON.parse(Buffer.from(body, 'base64url').toString()) as Payload
    },
  }
}
