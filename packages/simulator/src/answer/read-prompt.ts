import { type ApiError, invalid } from '../api-error.js'
import { type BlockTokens, blockTokens } from '../prompt/block-tokens.js'
import { buildPrompt, type Prompt } from '../prompt/build-prompt.js'
import { editContext, namesThinkingToKeep } from '../prompt/context-editing.js'
import { effectiveParts, type PromptPart } from '../prompt/effective-parts.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Block, Json } from '../wire.js'
import type { Backend } from './backend.js'

/** A request as the model will read it. */
export interface ReadPrompt {
  readonly parts: readonly PromptPart[]
  readonly prompt: Prompt
  /** Tokens before any clearing by the server. */
  readonly originalTokens: number
  readonly applied: readonly Json[]
  readonly tokensOf: BlockTokens
  /** The prompt of the same request with other messages; thinking that is new comes with its tokens. */
  rebuild(parts: readonly PromptPart[], thinkingTokens?: ReadonlyMap<Block, number>): Prompt
}

export function readPrompt(request: CheckedRequest, backend: Pick<Backend, 'memo'>): ReadPrompt {
  const { body, kinds, spec, account, thinking, digestOf } = request
  const tokensOf = blockTokens(spec, backend.memo)
  const scope = `${account.organization}\0${account.workspace}`
  const rebuild: ReadPrompt['rebuild'] = (parts, thinkingTokens = thinking.tokens) =>
    buildPrompt({ body, parts, kinds, spec, scope, tokensOf, digestOf, thinkingTokens })

  const edits = body.context_management?.edits ?? []
  const retention = namesThinkingToKeep(edits) ? 'all' : spec.thinking.retention
  const parts = effectiveParts(request, retention)
  const prompt = rebuild(parts)
  if (edits.length === 0) return { parts, prompt, originalTokens: prompt.tokens, applied: [], tokensOf, rebuild }

  const edited = editContext(parts, edits, (some) => (some === parts ? prompt : rebuild(some)).tokens)
  return {
    parts: edited.parts,
    prompt: edited.parts === parts ? prompt : rebuild(edited.parts),
    originalTokens: prompt.tokens,
    applied: edited.applied,
    tokensOf,
    rebuild,
  }
}

/** The window is the last thing a request can run into. */
export function checkLength({ body, spec }: CheckedRequest, tokens: number): void {
  if (tokens > spec.window) throw promptTooLong(tokens, spec.window)
  if (spec.overflow === 'refuse' && tokens + body.max_tokens > spec.window) {
    throw invalid(
      `input length and \`max_tokens\` exceed context limit: ${tokens} + ${body.max_tokens} > ${spec.window}, decrease input length or \`max_tokens\` and try again`,
    )
  }
}

function promptTooLong(tokens: number, window: number): ApiError {
  return invalid(`prompt is too long: ${tokens} tokens > ${window} maximum`)
}
