import { bindingDigest, type DigestOf, digest } from '../measure/digest.js'
import type { ModelSpec } from '../models/model-spec.js'
import type { FindModel } from '../models/model-table.js'
import { type ApiError, invalid } from '../wire/api-error.js'
import { BETA } from '../wire/betas.js'
import {
  type Block,
  type Conversation,
  isFailedSummary,
  isThinking,
  type Json,
  loadedTools,
  type MessagesBody,
  type Part,
  pathOf,
  type Role,
  withoutSummarised,
} from '../wire/messages.js'
import { extendTrail, NO_TRAIL, type Prefix, type Seals, sealedText, type Thought, type Trail } from './signatures.js'

/** Whether an account refuses thinking on another prefix by itself, or only when a request asks for it. */
export type BindingDefault = 'enforced' | 'lenient'

interface ThinkingCheck {
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

/** Why a block that was made on one prefix does not fit another, as a sentence of the error. */
function whatChanged(made: Prefix, found: Prefix): string {
  if (made.system !== found.system) return 'The `system` prompt has changed.'
  if (made.tools !== found.tools) return 'The set of `tools` has changed.'
  return 'A message before it has changed.'
}

function mismatchAction({ body, bindingDefault }: ThinkingCheck): 'error' | 'drop_block' | 'allow' {
  const binding = body.thinking?.block_binding
  if (binding) return binding.prefix_mismatch_behavior ?? 'error'
  return bindingDefault === 'enforced' ? 'error' : 'allow'
}

function mismatchText(path: string, betas: ReadonlySet<string>, change: string): string {
  const advice = betas.has(BETA.thinkingBinding)
    ? ''
    : ` That setting requires the \`${BETA.thinkingBinding}\` value in the \`anthropic-beta\` header.`
  return `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".${advice} ${change}`
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

/**
 * Follows a conversation block by block and says what a thinking block at this point would be bound to. Thinking
 * itself is no link of the chain, so that removing it from either end leaves the rest valid.
 */
export interface PrefixChain {
  add(link: Link): void
  prefix(): Prefix
}

interface Link {
  readonly role: Role
  readonly block: Block
}

const UNBOUND: PrefixChain = { add: () => undefined, prefix: () => ({ chain: '', system: '', tools: '' }) }

/** The chain of a request; an empty one for models that do not bind thinking to its prefix. */
export function prefixChain(body: MessagesBody, spec: ModelSpec, seals: Seals, digestOf: DigestOf): PrefixChain {
  if (!spec.thinking.bound) return UNBOUND
  // Most requests have no thinking and get none: hashing waits until somebody asks.
  const waiting: Link[] = []
  let links: PrefixChain | undefined
  return {
    add(link) {
      if (!isThinking(link.block) && !isFailedSummary(link.block)) waiting.push(link)
    },
    prefix() {
      links ??= startLinks(body, seals, digestOf)
      for (const link of waiting) links.add(link)
      waiting.length = 0
      return links.prefix()
    },
  }
}

function startLinks(body: MessagesBody, seals: Seals, digestOf: DigestOf): PrefixChain {
  const system = digest(body.system.map(digestOf).join())
  const tools = digest(loadedTools(body.tools).map(bindingDigest).sort().join())
  const start = digest(`${system}${tools}`)
  let chain = start
  let resumedAfter: Role | undefined

  return {
    add({ role, block }) {
      if (block.type === 'compaction') {
        const signed = typeof block.signature === 'string' ? seals.compacted.open(block.signature) : undefined
        chain = signed ? resume(signed.prefix) : digest(`${start}compaction${block.content}`)
        resumedAfter = signed?.lastRole as Role | undefined
        return
      }
      // Kept turns are bound to the summarised ones only where the two do not run together.
      if (resumedAfter === role || (resumedAfter && role === 'system')) chain = digest(`${chain}merged`)
      resumedAfter = undefined
      chain = digest(`${chain}${role}${hasKeys(block) ? bindingDigest(block) : digestOf(block)}`)
    },
    prefix: () => ({ chain, system, tools }),
  }

  function resume(prefix: Prefix): string {
    return prefix.system === system && prefix.tools === tools ? prefix.chain : digest(`${prefix.chain}${start}`)
  }
}

/** Whether a block holds objects, whose keys may come back in another order. Text, the bulk of a request, does not. */
function hasKeys(block: Block): boolean {
  if (block.type === 'text') return Array.isArray(block.citations) && block.citations.length > 0
  return block.type !== 'tool_result' || typeof block.content !== 'string'
}
