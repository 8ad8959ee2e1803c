import { NacreError } from '../errors.js'
import { addUsage, NO_USAGE, priceUsage, type TokenCounts } from '../tokens/cost.js'
import type { Block, Usage } from '../types/log.js'
import type { ModelEnd, ModelEvent, ModelInfo } from '../types/model.js'

/** An event as it comes over the wire. */
export interface RawEvent {
  readonly event: string | null
  readonly data: string
}

interface Progress {
  usage: WireUsage
  stop: string
  droppedPaths: readonly string[]
  /** The server has run a tool, and so the model more than once. */
  hasServerResult: boolean
  readonly open: Map<number, OpenBlock>
}

/** Turns a stream into events of ours. One that ends before its last event was cut. */
export async function* readStream(
  source: AsyncIterable<RawEvent>,
  model: Pick<ModelInfo, 'price'>,
): AsyncGenerator<ModelEvent> {
  const progress: Progress = { usage: {}, stop: 'end_turn', droppedPaths: [], hasServerResult: false, open: new Map() }
  for await (const { event, data } of source) {
    if (event === 'error') throw streamError(data)
    if (event === null || event === 'ping') continue
    const wire = JSON.parse(data) as WireEvent | null
    if (wire?.type === 'message_stop') {
      yield endOf(progress, model)
      return
    }
    const told = wire ? take(wire, progress, model) : undefined
    if (told) yield told
  }
  throw new NacreError('STREAM_CUT', 'The stream ended in the middle of the response.')
}

/** The body of an error in the shape that the SDK gives to those that come instead of a response. */
function streamError(data: string): object {
  const body = JSON.parse(data) as { readonly error?: WireError | null } | null
  const { type = 'api_error', message, details } = body?.error ?? {}
  return { name: 'APIError', type, apiMessage: message, errorCode: details?.error_code }
}

interface WireError {
  readonly type?: string
  readonly message?: string
  readonly details?: { readonly error_code?: string } | null
}

/** Servers leave out what the API always sends, so nothing but the type of an event is taken for granted. */
function take(
  wire: WireEvent,
  progress: Progress,
  model: Pick<ModelInfo, 'price'>,
): Exclude<ModelEvent, ModelEnd> | undefined {
  switch (wire.type) {
    case 'message_start': {
      const { id, usage, input_transformations } = wire.message ?? {}
      progress.usage = usage ?? {}
      progress.droppedPaths = listOf(input_transformations).flatMap((each) =>
        each?.type === 'thinking_dropped' ? [each.path] : [],
      )
      const messageId = typeof id === 'string' ? id : ''
      return { type: 'start', messageId, ...(usage && { usage: toUsage(usage, model).usage }) }
    }
    case 'content_block_start':
      if (wire.content_block) progress.open.set(wire.index, openBlock(wire.content_block))
      progress.hasServerResult ||= String(wire.content_block?.type).endsWith('_tool_result')
      return undefined
    case 'content_block_delta': {
      const block = wire.delta ? progress.open.get(wire.index)?.add(wire.delta) : undefined
      return block && { type: 'delta', index: wire.index, block }
    }
    case 'content_block_stop': {
      const closed = progress.open.get(wire.index)?.close()
      progress.open.delete(wire.index)
      return closed && { type: 'block', index: wire.index, ...closed }
    }
    case 'message_delta':
      progress.usage = merge(progress.usage, wire.usage ?? {})
      progress.stop = wire.delta?.stop_reason ?? progress.stop
      return undefined
  }
  return undefined
}

/** Usage is cumulative: what a later event names stands, what it leaves out or nulls stays. */
function merge(before: WireUsage, after: WireUsage): WireUsage {
  const named = Object.entries(after).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries(named) }
}

function endOf({ usage, stop, droppedPaths, hasServerResult }: Progress, model: Pick<ModelInfo, 'price'>): ModelEnd {
  return {
    type: 'end',
    stop,
    ...toUsage(usage, model, hasServerResult),
    thinkingDropped: [],
    ...(typeof usage.cache_deleted_input_tokens === 'number' && { deleted: usage.cache_deleted_input_tokens }),
    ...(droppedPaths.length && { droppedPaths }),
  }
}

/** A block that is still coming. */
interface OpenBlock {
  /** Returns the piece as it is shown, if any: a block of its type, where a call has `partialJson` and no input. */
  add(delta: WireDelta): Block | undefined
  /** The block as it goes into the log, and what could not be read of it; nothing for blank text, which no later request may hold. */
  close(): { readonly block: Block; readonly problem?: string } | undefined
}

function openBlock(start: Block): OpenBlock {
  const fields: Record<string, unknown> & { type: string } = { ...start }
  let json = ''
  const append = (name: string, piece: string) => {
    fields[name] = `${(fields[name] as string | undefined) ?? ''}${piece}`
  }
  return {
    add(delta) {
      switch (delta.type) {
        case 'text_delta':
          append('text', delta.text ?? '')
          return { type: 'text', text: delta.text }
        case 'thinking_delta':
          append('thinking', delta.thinking ?? '')
          return { type: 'thinking', thinking: delta.thinking }
        case 'input_json_delta':
          json += delta.partial_json ?? ''
          return delta.partial_json
            ? { type: fields.type, id: fields.id, name: fields.name, partialJson: delta.partial_json }
            : undefined
        case 'signature_delta':
          fields.signature = delta.signature
          return undefined
        case 'citations_delta':
          fields.citations = [...((fields.citations as unknown[] | null) ?? []), delta.citation]
          return undefined
        case 'compaction_delta':
          fields.content = delta.content
          if (delta.encrypted_content !== undefined) fields.encrypted_content = delta.encrypted_content
          return undefined
      }
      return undefined
    },
    close() {
      if (fields.type === 'text' && String(fields.text ?? '').trim() === '') return undefined
      if (json === '') return { block: fields }
      const input = parse(json)
      // It was cut by the output limit, or the model has made a mistake: the call must not run, and must not get lost.
      return input === undefined
        ? { block: { ...fields, input: {} }, problem: notJson(json) }
        : { block: { ...fields, input } }
    },
  }
}

const LONGEST_EXCERPT = 300

function notJson(json: string): string {
  const start = json.length > LONGEST_EXCERPT ? `${json.slice(0, LONGEST_EXCERPT)} …` : json
  return `The input of this call was not valid JSON, so it did not run. Make the call again with valid JSON. It was: ${start}`
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

interface ReadUsage {
  /** Tokens as the context has them, with the dollars of all that was billed. */
  readonly usage: Usage
  /** All tokens that were billed, where the server ran the model more than once. */
  readonly billed?: Usage
}

/**
 * Usage by price class. Where the server ran the model several times, the last answer's run tells the size of the
 * context; summaries that the server made are billed too, and never count as context. Where it does not tell the runs
 * apart, which its own tools are the cause of (`isSum`), nothing is known of the context.
 */
export function toUsage(wire: WireUsage, model: Pick<ModelInfo, 'price'>, isSum = false): ReadUsage {
  const runs = listOf(wire.iterations).filter((run) => run !== null)
  const searches = (wire.server_tool_use?.web_search_requests ?? 0) * (model.price(0).webSearch ?? 0)
  if (runs.length === 0) {
    const tokens = countsOf(wire)
    const dollars = priceUsage(model, tokens) + searches
    return isSum
      ? { usage: { ...NO_USAGE, dollars }, billed: { ...tokens, dollars } }
      : { usage: { ...tokens, dollars } }
  }
  const dollars = runs.reduce((sum, run) => sum + priceUsage(model, countsOf(run)), searches)
  const last = runs.findLast(({ type }) => type === 'message')
  return {
    usage: { ...(last ? countsOf(last) : NO_USAGE), dollars },
    billed: { ...runs.map((run) => ({ ...countsOf(run), dollars: 0 })).reduce(addUsage, NO_USAGE), dollars },
  }
}

function listOf<Item>(value: readonly Item[] | null | undefined): readonly Item[] {
  return Array.isArray(value) ? value : []
}

/** What is no count of tokens counts nothing: one such figure would spoil every sum that it is in. */
function count(value: number | null | undefined): number {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY ? value : 0
}

function countsOf(wire: WireUsage): TokenCounts {
  const writes = count(wire.cache_creation_input_tokens)
  // The split comes with the first event only; what it does not name is short-lived.
  const cacheWrite1h = Math.min(writes, count(wire.cache_creation?.ephemeral_1h_input_tokens))
  return {
    input: count(wire.input_tokens),
    output: count(wire.output_tokens),
    cacheRead: count(wire.cache_read_input_tokens),
    cacheWrite5m: writes - cacheWrite1h,
    cacheWrite1h,
  }
}

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
  readonly server_tool_use?: { readonly web_search_requests?: number | null } | null
  readonly iterations?: readonly (WireUsage & { readonly type: string })[] | null
}

interface WireDelta {
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
type WireEvent =
  | {
      readonly type: 'message_start'
      readonly message?: {
        readonly id?: string
        readonly usage?: WireUsage | null
        readonly input_transformations?: readonly ({ readonly type: string; readonly path: string } | null)[] | null
      } | null
    }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block?: Block | null }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta?: WireDelta | null }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta'
      readonly delta?: { readonly stop_reason?: string | null } | null
      readonly usage?: WireUsage | null
    }
  | { readonly type: 'message_stop' }
