import { invalid } from '../wire/api-error.js'
import {
  type Block,
  type CacheControl,
  type Conversation,
  type Message,
  type MessagesBody,
  pathOf,
  type Tool,
  type Ttl,
  ttlOf,
} from '../wire/messages.js'

const UNMARKABLE = new Set(['thinking', 'redacted_thinking', 'cache_edits'])
const MAX_MARKERS = 4

/** Puts a top-level marker in its place, then checks all of them: at most four, long-lived ones before short-lived ones. */
export function placeMarkers(raw: MessagesBody): { readonly body: MessagesBody; readonly hasMarkers: boolean } {
  const body = placeAutomaticMarker(raw)
  const markers = markersOf(body)
  checkMarkers(markers)
  return { body, hasMarkers: markers.length > 0 }
}

/** Puts a top-level `cache_control` where the API does: on the last block that can carry one. */
function placeAutomaticMarker(body: MessagesBody): MessagesBody {
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

function checkMarkers(markers: readonly Marker[]): void {
  if (markers.length > MAX_MARKERS) {
    throw invalid(`A maximum of ${MAX_MARKERS} blocks with cache_control may be provided. Found ${markers.length}.`)
  }
  let sawShort = false
  for (const marker of markers) {
    if (marker.ttl === '5m') sawShort = true
    else if (sawShort) {
      throw invalid(
        `${marker.path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
      )
    }
  }
}

/** A `cache_control` in a request, in the order in which the prompt is read. */
interface Marker {
  readonly path: string
  readonly ttl: Ttl
}

function markersOf({ tools, system, messages }: MessagesBody): Marker[] {
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

/** A deletion names a result that was sent before it, by the reference that the result carries. */
export function checkCacheEdits({ parts, kinds }: Conversation): void {
  if (!kinds.has('cache_edits')) return
  const known = new Set<unknown>()
  for (const part of parts) {
    if (part.block.cache_reference !== undefined) known.add(part.block.cache_reference)
    if (part.block.type !== 'cache_edits') continue
    for (const { cache_reference } of part.block.edits as { cache_reference: string }[]) {
      if (known.has(cache_reference)) continue
      throw invalid(`${pathOf(part)}: cache_reference '${cache_reference}' not found before the edit`)
    }
  }
}
