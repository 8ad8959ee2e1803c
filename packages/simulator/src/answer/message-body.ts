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
    ...(counted && { iterations: answer.iterations }),
    ...(answer.deleted > 0 && { deleted: answer.deleted }),
  }
}

/** Whether the response has room for what the server did to the context. */
export function showsContextManagement({ betas }: CheckedRequest): boolean {
  return betas.has(BETA.contextManagement) || betas.has(BETA.thresholdCompaction)
}

/** What a response says before its content is known; a stream opens with it. */
export function messageHead(answer: Answer, request: CheckedRequest, usage: Iteration): Record<string, Json> {
  return {
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
    ...(request.thinking.transformations && { input_transformations: request.thinking.transformations }),
    usage: usageBody(usage, request.spec.id, usageExtras(answer, request)),
  }
}

/** The whole response, for clients that do not stream. */
export function messageBody(answer: Answer, request: CheckedRequest): Json {
  return {
    ...messageHead(answer, request, sumMessages(answer.iterations)),
    content: answer.blocks.map(({ block }) => block as unknown as Json),
    stop_reason: answer.stop,
    stop_sequence: answer.stopSequence,
    stop_details: answer.details,
    ...(showsContextManagement(request) && { context_management: { applied_edits: answer.applied } }),
  }
}
