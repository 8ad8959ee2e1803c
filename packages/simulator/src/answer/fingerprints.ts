import type { Prompt } from '../prompt/build-prompt.js'
import { digest } from '../prompt/digest.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Json } from '../wire.js'

/** Requests that are remembered, and blocks of all of them together: long conversations take the place of many short ones. */
const KEPT = 200
const KEPT_BLOCKS = 200_000

/** What is remembered of a request so that a later one can be compared with it. */
interface Fingerprint {
  readonly owner: string
  readonly model: string
  readonly tools: string
  readonly system: string
  readonly settings: string
  readonly chains: readonly string[]
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
  let blocks = 0
  return {
    remember(messageId, request, prompt) {
      if (!request.body.diagnostics) return
      known.set(messageId, takeFingerprint(request, prompt))
      blocks += prompt.positions.length
      for (const [oldest, { chains }] of known) {
        if (known.size <= KEPT && (blocks <= KEPT_BLOCKS || known.size === 1)) break
        known.delete(oldest)
        blocks -= chains.length
      }
    },
    diagnose(request, prompt) {
      const previousId = request.body.diagnostics?.previous_message_id
      if (request.body.diagnostics == null) return undefined
      if (previousId == null) return null
      const previous = known.get(previousId)
      const current = takeFingerprint(request, prompt)
      if (previous?.owner !== current.owner) return { cache_miss_reason: { type: 'previous_message_not_found' } }
      return compare(previous, current)
    },
  }
}

function takeFingerprint(request: CheckedRequest, { positions, tokens }: Prompt): Fingerprint {
  const { body, betas, spec, account, digestOf } = request
  const { tool_choice, thinking, context_management, output_config } = body
  return {
    owner: `${account.organization}\0${account.workspace}`,
    model: `${spec.id}\0${body.speed ?? 'standard'}`,
    tools: digest(
      body.tools
        .filter((tool) => !tool.defer_loading)
        .map(digestOf)
        .join(),
    ),
    system: digest(body.system.map(digestOf).join()),
    settings: JSON.stringify([tool_choice, thinking, context_management, output_config, [...betas].sort()]),
    chains: positions.map((position) => position.chain),
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
  const change =
    before.tools !== after.tools
      ? 'tools_changed'
      : before.system !== after.system
        ? 'system_changed'
        : 'messages_changed'
  if (change === 'messages_changed' && before.settings !== after.settings) {
    return { cache_miss_reason: { type: 'unavailable' } }
  }
  const first = before.chains.findIndex((chain, index) => chain !== after.chains[index])
  if (first === -1) return null
  return missed(change, before.total - (before.tokens[first - 1] ?? 0))
}
