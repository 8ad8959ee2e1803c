import { invalid } from '../api-error.js'
import type { Block, CacheControl, Message, MessagesBody, Tool, Ttl } from '../wire.js'

/** A `cache_control` in a request, in the order in which the prompt is read. */
export interface Marker {
  readonly path: string
  readonly ttl: Ttl
}

const UNMARKABLE = new Set(['thinking', 'redacted_thinking', 'cache_edits'])
const MAX_MARKERS = 4

/** The lifetime a block is marked with; a mark inside a tool result counts for the whole result. */
export function ttlOf(block: Block | Tool): Ttl | undefined {
  if (block.cache_control) return block.cache_control.ttl ?? '5m'
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return undefined
  const inner = (block.content as Block[]).find((each) => each.cache_control)
  return inner?.cache_control ? (inner.cache_control.ttl ?? '5m') : undefined
}

export function markersOf({ tools, system, messages }: MessagesBody): Marker[] {
  const markers: Marker[] = []
  addMarkers(markers, tools, 'tools')
  addMarkers(markers, system, 'system')
  messages.forEach(({ content }, number) => {
    // Few blocks are marked: only where one is does the path have to be known.
    if (content.some(isMarked)) addMarkers(markers, content, `messages.${number}.content`)
  })
  return markers
}

function isMarked(block: Block): boolean {
  return ttlOf(block) !== undefined
}

function addMarkers(markers: Marker[], blocks: readonly (Block | Tool)[], path: string): void {
  blocks.forEach((block, index) => {
    if (block.cache_control) markers.push({ path: `${path}.${index}`, ttl: block.cache_control.ttl ?? '5m' })
    if (block.type !== 'tool_result' || !Array.isArray(block.content)) return
    addMarkers(markers, block.content as Block[], `${path}.${index}.content`)
  })
}

/** Puts a top-level `cache_control` where the API does: on the last block that can carry one. */
export function placeAutomaticMarker(body: MessagesBody): MessagesBody {
  const control = body.cache_control
  if (!control) return body
  for (let number = body.messages.length - 1; number >= 0; number--) {
    const message = body.messages[number] as Message
    if (message.clear_at === 'next_user_message') continue
    const index = message.content.findLastIndex((block) => !UNMARKABLE.has(block.type))
    const block = message.content[index]
    if (!block) continue
    const marked = mark(block, control, `messages.${number}.content.${index}`, body)
    if (marked === block) return body
    const content = message.content.with(index, marked)
    return { ...body, messages: body.messages.with(number, { ...message, content }) }
  }
  const block = body.system.at(-1)
  if (!block) return body
  const marked = mark(block, control, `system.${body.system.length - 1}`, body)
  return { ...body, system: body.system.with(-1, marked) }
}

function mark(block: Block, control: CacheControl, path: string, body: MessagesBody): Block {
  const wanted = control.ttl ?? '5m'
  if (block.cache_control) {
    if ((block.cache_control.ttl ?? '5m') === wanted) return block
    throw invalid(`cache_control: the top-level ttl '${wanted}' differs from the one at ${path}`)
  }
  if (markersOf(body).length >= MAX_MARKERS) {
    throw invalid(`A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${MAX_MARKERS + 1}.`)
  }
  return { ...block, cache_control: control }
}
