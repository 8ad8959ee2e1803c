import { BETA } from '../validate/betas.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Json } from '../wire.js'
import type { Answer } from './answer.js'
import { type Iteration, sumMessages, type UsageExtras, usageBody } from './usage.js'

export function usageExtras(answer: Answer, { body, betas }: CheckedRequest): UsageExtras {
  const counted = betas.has(BETA.thresholdCompaction) || betas.has(BETA.onDemandCompaction)
  return {
    speed: body.speed ?? 'standard',
    serverToolUse: answer.searches ? { web_search_requests: 0, web_fetch_requests: 0 } : null,
    iterations: counted ? answer.iterations : undefined,
    deleted: answer.deleted > 0 ? answer.deleted : undefined,
  }
}

/** Whether the response has room for what the server did to the context. */
export function showsContextManagement({ betas }: CheckedRequest): boolean {
  return betas.has(BETA.contextManagement) || betas.has(BETA.thresholdCompaction)
}

/** What a response says before its content is known; a stream opens with it. */
export function messageHead(answer: Answer, request: CheckedRequest, usage: Iteration): Record<string, Json> {
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
  head.usage = usageBody(usage, request.spec.id, usageExtras(answer, request))
  return head
}

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
