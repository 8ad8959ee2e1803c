import type { CheckedRequest } from '../validate/check-request.js'
import type { Block, Json } from '../wire.js'
import type { Answer } from './answer.js'
import type { OutputBlock } from './finish-reply.js'
import { messageHead, showsContextManagement, usageExtras } from './message-body.js'
import { deltaUsageBody, sumMessages } from './usage.js'

const CHUNK = 48
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
    usage: deltaUsageBody(total, request.spec.id, usageExtras(answer, request)),
    ...(showsContextManagement(request) && { context_management: { applied_edits: answer.applied } }),
  }
  yield { type: 'message_stop' }
}

/** Kinds that come in pieces start empty, the others come whole. */
function opening(block: Block): Json {
  switch (block.type) {
    case 'text':
      return { ...block, text: '', citations: null } as unknown as Json
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

function* deltas({ block, partialJson }: OutputBlock): Generator<Json> {
  switch (block.type) {
    case 'text':
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
