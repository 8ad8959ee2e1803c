import type { SentPrefix } from '../../src/cache/prefix.js'
import { hashOf, link } from '../../src/hash.js'
import type { RenderedBlock, RenderedMessage } from '../../src/request/user-turn.js'
import type { Block, Usage } from '../../src/types/log.js'

export const PRICES = { input: 4, output: 20, read: 0.2, write5m: 5, write1h: 8 }

export function said(entry: string, words = entry, owner = 'user'): RenderedBlock {
  return { block: { type: 'text', text: words }, owner, ref: { entry, block: 0 } }
}

export function noted(words: string, owner: string): RenderedBlock {
  return { block: { type: 'text', text: words }, owner }
}

/** Messages of both sides in turn, a thousand tokens a block. */
export function talk(turns: readonly (readonly RenderedBlock[])[], head = ''): RenderedMessage[] {
  let chain = head
  let position = 0
  return turns.map((blocks, index) => {
    const role = index % 2 ? 'assistant' : 'user'
    const start = position * 1_000
    for (const { block } of blocks) chain = link(chain, role, hashOf(block))
    position += blocks.length
    return { role, blocks, chain, start, tokens: position * 1_000, position }
  })
}

/** Turns of one block each. */
export function turns(count: number): RenderedBlock[][] {
  return Array.from({ length: count }, (_, index) => [said(`e${index}`)])
}

/** A request with a marker on its last block. */
export function sentOf(messages: readonly RenderedMessage[], more: Partial<SentPrefix> = {}): SentPrefix {
  const message = messages.length - 1
  const block = (messages[message]?.blocks.length ?? 0) - 1
  return {
    model: 'claude-opus-5-5',
    cacheMinimum: 512,
    settings: '',
    tools: [],
    system: [],
    messages,
    markers: [{ level: 'message', message, block }],
    edits: [],
    isFolded: false,
    time: 0,
    lifetime: 300_000,
    ...more,
  }
}

export function usageOf(cacheRead: number, cacheWrite5m = 0, cacheWrite1h = 0): Usage {
  return { input: 10, output: 10, cacheRead, cacheWrite5m, cacheWrite1h, dollars: 0 }
}

export function textBlock(text: string): Block {
  return { type: 'text', text }
}
