import type { RenderedMessage } from '../request/rendered.js'

/** A piece of the prefix, by hash, with the plugin it comes from. */
export interface OwnedHash {
  readonly hash: string
  readonly owner: string
  readonly name: string
}

/** What was sent, as far as the cache is concerned. */
export interface SentPrefix {
  readonly model: string
  /** Thinking, effort, tool choice, betas: what is no block and still part of the key. */
  readonly settings: string
  readonly tools: readonly OwnedHash[]
  readonly system: readonly OwnedHash[]
  readonly messages: readonly RenderedMessage[]
  /** Whether a fold since the last request made another beginning: nobody is to blame for that. */
  readonly isFolded: boolean
  readonly time: number
  readonly lifetime: number
}

/** Where two requests part. */
export type Divergence =
  | { readonly cause: 'model'; readonly owner: 'user' }
  | { readonly cause: 'settings'; readonly owner: 'user' }
  | { readonly cause: 'tools' | 'system'; readonly owner: string; readonly block: string }
  | { readonly cause: 'edit'; readonly owner: string; readonly block: string; readonly tokens: number }

/** The first thing that the second request has otherwise; `undefined` when it extends the first. */
export function findDivergence(before: SentPrefix, after: SentPrefix): Divergence | undefined {
  if (before.model !== after.model) return { cause: 'model', owner: 'user' }
  const tool = firstOther(before.tools, after.tools)
  if (tool) return { cause: 'tools', owner: tool.owner, block: tool.name }
  const section = firstOther(before.system, after.system)
  if (section) return { cause: 'system', owner: section.owner, block: section.name }
  if (before.settings !== after.settings) return { cause: 'settings', owner: 'user' }
  return findEdit(before.messages, after.messages)
}

function firstOther(before: readonly OwnedHash[], after: readonly OwnedHash[]): OwnedHash | undefined {
  const length = Math.max(before.length, after.length)
  for (let index = 0; index < length; index++) {
    if (before[index]?.hash !== after[index]?.hash) return after[index] ?? before[index]
  }
  return undefined
}

/** Messages that are the same object were never touched, so only the first other one is looked into. */
function findEdit(before: readonly RenderedMessage[], after: readonly RenderedMessage[]): Divergence | undefined {
  const index = before.findIndex((message, place) => message !== after[place] && message.chain !== after[place]?.chain)
  const old = before[index]
  if (!old) return undefined
  const now = after[index]
  const block = old.blocks.findIndex((each, place) => each.block !== now?.blocks[place]?.block)
  // The last message only grew: a longer user turn is no edit.
  if (block === -1 && now) return undefined
  const owner = now?.blocks[Math.max(block, 0)]?.owner ?? old.blocks[Math.max(block, 0)]?.owner ?? 'core'
  return { cause: 'edit', owner, block: `message ${index}, block ${Math.max(block, 0)}`, tokens: old.start }
}
