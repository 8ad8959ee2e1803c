import { type ApiError, invalid } from '../api-error.js'
import type { FindModel } from '../models/find-model.js'
import type { ModelSpec } from '../models/model-spec.js'
import { digest } from '../prompt/digest.js'
import { withoutSummarised } from '../prompt/effective-parts.js'
import { BETA } from '../validate/betas.js'
import { type Conversation, type Part, pathOf } from '../validate/turns.js'
import type { Block, Json, MessagesBody } from '../wire.js'
import { mismatchText, type PrefixChain, whatChanged } from './prefix-chain.js'
import { extendTrail, isThinking, NO_TRAIL, type Seals, sealedText, type Thought, type Trail } from './thought.js'

/** Whether an account refuses thinking on another prefix by itself, or only when a request asks for it. */
export type BindingDefault = 'enforced' | 'lenient'

export interface ThinkingCheck {
  readonly body: MessagesBody
  readonly conversation: Conversation
  readonly spec: ModelSpec
  readonly find: FindModel
  readonly betas: ReadonlySet<string>
  readonly organization: string
  readonly bindingDefault: BindingDefault
  readonly seals: Seals
  readonly chain: PrefixChain
}

export interface CheckedThinking {
  /** Left out of the prompt and not billed. */
  readonly dropped: ReadonlySet<Block>
  /** What the response says about it; `undefined` without the beta. */
  readonly transformations: readonly Json[] | undefined
  /** What the next thinking block follows. */
  readonly trail: Trail
  /** Thinking tokens by block, since the text that is shown may be shorter or missing. */
  readonly tokens: ReadonlyMap<Block, number>
}

const NO_THINKING: CheckedThinking = {
  dropped: new Set(),
  transformations: undefined,
  trail: NO_TRAIL,
  tokens: new Map(),
}

/** Checks signatures, and that every thinking block stands on the prefix it was made on. */
export function checkThinking(check: ThinkingCheck): CheckedThinking {
  checkStart(check)
  const { spec, betas, chain } = check
  const { turns, parts, kinds } = check.conversation
  const seen = kinds.has('compaction') ? withoutSummarised(parts) : parts
  if (!kinds.has('thinking') && !kinds.has('redacted_thinking')) {
    for (const part of seen) chain.add(part)
    return betas.has(BETA.thinkingBinding) ? { ...NO_THINKING, transformations: [] } : NO_THINKING
  }
  const latest = turns.findLast((turn) => turn.role === 'assistant')
  const dropped = new Set<Block>()
  const tokens = new Map<Block, number>()
  const transformations: Json[] = []
  let trail = NO_TRAIL
  let previous: Part | undefined
  for (const part of seen) {
    if (!isThinking(part.block)) {
      chain.add(part)
      continue
    }
    const thought = check.seals.thought.open(sealedText(part.block))
    if (!thought) throw invalid(`${pathOf(part)}: Invalid \`signature\` in \`${part.block.type}\` block`)
    if (latest && part.message >= latest.message) {
      checkUnchanged(part, thought)
      if (!spec.thinking.bound && previous && previous.message >= latest.message) checkInOrder(part, thought, trail)
    }
    previous = part
    tokens.set(part.block, thought.tokens)
    const foreign = foreignReason(thought, check)
    const mismatch = foreign ? undefined : prefixMismatch(thought, trail, spec, chain)
    const action = foreign ? 'drop_block' : mismatch ? mismatchAction(check) : 'keep'
    if (action === 'error') throw invalid(mismatchText(pathOf(part), betas, mismatch as string))
    if (action !== 'keep') {
      const type = action === 'drop_block' ? 'thinking_dropped' : 'thinking_mismatch_allowed'
      transformations.push({ type, path: pathOf(part), reason: foreign ?? 'prefix_binding_mismatch' })
    }
    if (action === 'drop_block') dropped.add(part.block)
    // A foreign block is left out for this model only, so it stays a part of the conversation.
    if (foreign || action !== 'drop_block') trail = extendTrail(trail, sealedText(part.block))
  }
  const reported = betas.has(BETA.thinkingBinding) ? transformations : undefined
  return { dropped, transformations: reported, trail, tokens }
}

function foreignReason(thought: Thought, { spec, find, organization }: ThinkingCheck): string | undefined {
  if (thought.organization !== organization) return 'organization_binding_mismatch'
  const maker = find(thought.model)
  return !maker || maker.released > spec.released ? 'model_binding_mismatch' : undefined
}

/** What changed before the block, or `undefined` when it stands where it was made. */
function prefixMismatch(thought: Thought, trail: Trail, spec: ModelSpec, chain: PrefixChain): string | undefined {
  if (!spec.thinking.bound) return undefined
  const found = chain.prefix()
  if (!thought.prefix) return 'The block carries no record of its conversation.'
  if (thought.prefix.chain !== found.chain) return whatChanged(thought.prefix, found)
  // None left is fine, and so is a shorter trail with the same end: thinking was removed from the start.
  const isTail = trail.last === thought.trail.last && trail.length <= thought.trail.length
  return trail.length === 0 || isTail ? undefined : 'An earlier thinking block was removed or added.'
}

function mismatchAction({ body, bindingDefault }: ThinkingCheck): 'error' | 'drop_block' | 'allow' {
  const binding = body.thinking?.block_binding
  if (binding) return binding.prefix_mismatch_behavior ?? 'error'
  return bindingDefault === 'enforced' ? 'error' : 'allow'
}

function checkUnchanged(part: Part, thought: Thought): void {
  if (part.block.type !== 'thinking' || thought.shown === null) return
  if (digest(part.block.thinking as string) !== thought.shown) throw modified(part)
}

/** On bound models the prefix says as much. */
function checkInOrder(part: Part, thought: Thought, trail: Trail): void {
  if (thought.trail.last !== trail.last) throw modified(part)
}

function modified(part: Part): ApiError {
  return invalid(
    `${pathOf(part)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  )
}

/**
 * With a fixed thinking budget, a turn that waits for tool results must open with its thinking. Calls and results in a
 * row are one turn, in which a model that does not think between calls thinks once.
 */
function checkStart({ body, conversation: { turns } }: ThinkingCheck): void {
  if (body.thinking?.type !== 'enabled') return
  const first = turns.at(-2)?.parts[0]
  if (turns.at(-1)?.parts[0]?.block.type !== 'tool_result' || first?.role !== 'assistant') return
  for (let at = turns.length - 2; at > 0; at -= 2) {
    const opening = turns[at]?.parts[0]
    if (opening && isThinking(opening.block)) return
    if (!turns[at - 1]?.parts.every(({ block }) => block.type === 'tool_result')) break
  }
  throw invalid(
    `${pathOf(first)}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  )
}
