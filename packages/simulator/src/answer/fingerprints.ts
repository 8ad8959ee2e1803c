import type { Prompt } from '../prompt/build-prompt.js'
import { digest } from '../prompt/digest.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Json } from '../wire.js'

const KEPT = 200

/** What is remembered of a request so that a later one can be compared with it. */
interface Fingerprint {
  readonly model: string
  readonly settings: string
  readonly tools: string
  readonly system: string
  readonly messages: readonly string[]
  readonly tokens: readonly number[]
  readonly total: number
}

/** Tells why the cache could not be used, by comparing a request with the one before it. */
export interface Fingerprints {
  remember(messageId: string, request: CheckedRequest, prompt: Prompt): void
  /** `undefined` when the request did not ask. */
  diagnose(request: CheckedRequest, prompt: Prompt): Json | undefined
}

export function createFingerprints(): Fingerprints {
  const known = new Map<string, Fingerprint>()
  return {
    remember(messageId, request, prompt) {
      if (!request.body.diagnostics) return
      known.set(messageId, takeFingerprint(request, prompt))
      if (known.size > KEPT) known.delete(known.keys().next().value as string)
    },
    diagnose(request, prompt) {
      const previousId = request.body.diagnostics?.previous_message_id
      if (request.body.diagnostics == null) return undefined
      if (previousId == null) return null
      const previous = known.get(previousId)
      if (!previous) return { cache_miss_reason: { type: 'previous_message_not_found' } }
      return compare(previous, takeFingerprint(request, prompt))
    },
  }
}

function takeFingerprint({ body, betas }: CheckedRequest, { positions, levels, digests, tokens }: Prompt): Fingerprint {
  const { tool_choice, thinking, context_management, output_config } = body
  return {
    model: body.model,
    settings: JSON.stringify([tool_choice, thinking, context_management, output_config, [...betas].sort()]),
    tools: digest(digests.slice(0, levels.system).join()),
    system: digest(digests.slice(levels.system, levels.messages).join()),
    messages: digests.slice(levels.messages),
    tokens: positions.map((position) => position.tokens),
    total: tokens,
  }
}

/** The earliest divergence, and the tokens of the earlier prompt that lie behind it. */
function compare(before: Fingerprint, after: Fingerprint): Json {
  const missed = (type: string, tokens: number): Json => ({
    cache_miss_reason: { type, cache_missed_input_tokens: tokens },
  })
  if (before.model !== after.model) return missed('model_changed', before.total)
  if (before.settings !== after.settings) return { cache_miss_reason: { type: 'unavailable' } }
  if (before.tools !== after.tools) return missed('tools_changed', before.total)
  const start = before.tokens.length - before.messages.length
  if (before.system !== after.system) return missed('system_changed', before.total)
  const same = before.messages.findIndex((own, index) => own !== after.messages[index])
  if (same === -1) return null
  return missed('messages_changed', before.total - (before.tokens[start + same - 1] ?? 0))
}
