import type { BlockLike } from './session-like.js'

/** A piece of a request in the order in which a prompt cache reads it, without the marks that move. */
export interface Item {
  readonly level: 'fields' | 'tools' | 'system' | 'messages'
  readonly role: string
  readonly text: string
  readonly block: BlockLike
}

interface Body {
  readonly tools?: readonly BlockLike[]
  readonly system?: string | readonly BlockLike[]
  readonly messages?: readonly { readonly role: string; readonly content: string | readonly BlockLike[] }[]
  readonly [field: string]: unknown
}

/** Fields that are part of the cache's key without being blocks. */
const KEYS = ['model', 'thinking', 'tool_choice', 'output_config', 'speed']

const known = new WeakMap<object, readonly Item[]>()

/** Takes a request apart, once for all checks. */
export function itemsOf(request: { readonly body: string }): readonly Item[] {
  const items = known.get(request) ?? takeApart(request.body)
  known.set(request, items)
  return items
}

function takeApart(body: string): readonly Item[] {
  const request = JSON.parse(body) as Body
  const fields = Object.fromEntries(KEYS.map((key) => [key, request[key]]))
  return [
    item('fields', '', { type: 'fields', ...fields }),
    ...(request.tools ?? []).map((tool) => item('tools', '', tool)),
    ...blocksOf(request.system ?? []).map((block) => item('system', '', block)),
    ...(request.messages ?? []).flatMap(({ role, content }) =>
      blocksOf(content).map((block) => item('messages', role, block)),
    ),
  ]
}

function item(level: Item['level'], role: string, { cache_control: _, ...rest }: BlockLike): Item {
  const block = rest as BlockLike
  return { level, role, block, text: `${role || level}: ${JSON.stringify(block)}` }
}

function blocksOf(content: string | readonly BlockLike[]): readonly BlockLike[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
