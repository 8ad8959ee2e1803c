import type { Answer } from '../answer/answer.js'
import { type Iteration, sumMessages } from '../answer/usage.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { BETA } from '../wire/betas.js'
import type { Block, Json } from '../wire/messages.js'

/** The whole response, for clients that do not stream. */
export function messageBody(answer: Answer, request: CheckedRequest): Json {
  const body = messageHead(answer, request, sumMessages(answer.iterations))
  body.content = answer.blocks.map(({ block }) => block as unknown as Json)
  body.stop_reason = answer.stop
  body.stop_sequence = answer.stopSequence
  body.stop_details = answer.details
  if (showsContextManagement(request)) body.context_management = { applied_edits: answer.applied }
  return body
}

/** What has been written when a stream opens. */
const FIRST_OUTPUT = { output: 1, thinking: 0 }

export interface StreamEvent {
  readonly type: string
  readonly [field: string]: Json
}

/** The events of a stream in the API's order. */
export function* streamEvents(answer: Answer, request: CheckedRequest): Generator<StreamEvent> {
  const total = sumMessages(answer.iterations)
  yield { type: 'message_start', message: messageHead(answer, request, { ...total, ...FIRST_OUTPUT }) }
  yield { type: 'ping' }
  for (const [index, output] of answer.blocks.entries()) {
    yield { type: 'content_block_start', index, content_block: opening(output.block) }
    for (const delta of deltas(output)) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  yield {
    type: 'message_delta',
    delta: {
      stop_reason: answer.stop,
      stop_sequence: answer.stopSequence,
      stop_details: answer.details,
      container: null,
    },
    usage: deltaUsageBody(total, answer, request),
    ...(showsContextManagement(request) && { context_management: { applied_edits: answer.applied } }),
  }
  yield { type: 'message_stop' }
}

/** What a response says before its content is known; a stream opens with it. */
function messageHead(answer: Answer, request: CheckedRequest, usage: Iteration): Record<string, Json> {
  const head: Record<string, Json> = {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: request.spec.id,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: answer.diagnostics,
  }
  if (request.thinking.transformations) head.input_transformations = request.thinking.transformations
  head.usage = usageBody(usage, answer, request)
  return head
}

/** Whether the response has room for what the server did to the context. */
function showsContextManagement({ betas }: CheckedRequest): boolean {
  return betas.has(BETA.contextManagement) || betas.has(BETA.thresholdCompaction)
}

/** Usage as a response carries it. */
function usageBody(total: Iteration, answer: Answer, request: CheckedRequest): Record<string, Json> {
  const body: Record<string, Json> = {
    input_tokens: total.input,
    cache_creation_input_tokens: total.write5m + total.write1h,
    cache_read_input_tokens: total.read,
    cache_creation: creation(total),
    output_tokens: total.output,
    output_tokens_details: { thinking_tokens: total.thinking },
    server_tool_use: serverToolUse(answer),
    service_tier: 'standard',
    inference_geo: 'global',
    speed: request.body.speed ?? 'standard',
  }
  return addExtras(body, answer, request)
}

/** Usage as the last event of a stream carries it. */
function deltaUsageBody(total: Iteration, answer: Answer, request: CheckedRequest): Record<string, Json> {
  const body: Record<string, Json> = {
    input_tokens: total.input,
    cache_creation_input_tokens: total.write5m + total.write1h,
    cache_read_input_tokens: total.read,
    output_tokens: total.output,
    output_tokens_details: { thinking_tokens: total.thinking },
    server_tool_use: serverToolUse(answer),
  }
  return addExtras(body, answer, request)
}

function serverToolUse({ searches, webSearches }: Answer): Json {
  return searches || webSearches ? { web_search_requests: webSearches, web_fetch_requests: 0 } : null
}

/** What only the `cache_edits` extension and the compaction betas bring. */
function addExtras(body: Record<string, Json>, answer: Answer, { spec, betas }: CheckedRequest): Record<string, Json> {
  if (answer.deleted > 0) body.cache_deleted_input_tokens = answer.deleted
  if (betas.has(BETA.thresholdCompaction) || betas.has(BETA.onDemandCompaction)) {
    body.iterations = answer.iterations.map((each) => iterationBody(each, spec.id))
  }
  return body
}

function iterationBody(each: Iteration, model: string): Json {
  return {
    type: each.type,
    input_tokens: each.input,
    cache_creation_input_tokens: each.write5m + each.write1h,
    cache_read_input_tokens: each.read,
    cache_creation: creation(each),
    output_tokens: each.output,
    model,
  }
}

function creation(usage: Iteration): Json {
  return { ephemeral_5m_input_tokens: usage.write5m, ephemeral_1h_input_tokens: usage.write1h }
}

/** Kinds that come in pieces start empty, the others come whole. */
function opening(block: Block): Json {
  switch (block.type) {
    case 'text':
      return { ...block, text: '', citations: block.citations ? [] : null } as unknown as Json
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' }
    case 'tool_use':
    case 'server_tool_use':
      return { ...block, input: {} } as unknown as Json
    case 'compaction':
      if (block.signature === undefined) return { type: 'compaction', content: null, encrypted_content: null }
  }
  return block as unknown as Json
}

function* deltas({ block, partialJson }: Answer['blocks'][number]): Generator<Json> {
  switch (block.type) {
    case 'text':
      for (const citation of (block.citations ?? []) as readonly Json[]) yield { type: 'citations_delta', citation }
      for (const text of chunks(block.text as string)) yield { type: 'text_delta', text }
      return
    case 'thinking':
      for (const thinking of chunks(block.thinking as string)) yield { type: 'thinking_delta', thinking }
      yield { type: 'signature_delta', signature: block.signature as string }
      return
    case 'tool_use':
    case 'server_tool_use':
      yield { type: 'input_json_delta', partial_json: '' }
      for (const part of chunks(partialJson ?? JSON.stringify(block.input))) {
        yield { type: 'input_json_delta', partial_json: part }
      }
      return
    case 'compaction':
      if (block.signature === undefined) {
        yield { type: 'compaction_delta', content: block.content as string | null, encrypted_content: null }
      }
  }
}

const CHUNK = 48

/** Pieces of a text; a character that takes two code units is never split. */
function* chunks(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    let end = Math.min(text.length, start + CHUNK)
    const unit = text.charCodeAt(end - 1)
    if (unit >= 0xd800 && unit < 0xdc00 && end < text.length) end += 1
    yield text.slice(start, end)
    start = end
  }
}
