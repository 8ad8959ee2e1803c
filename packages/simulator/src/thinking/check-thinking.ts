import { invalid } from '../api-error.js'
import type { FindModel } from '../models/find-model.js'
import type { ModelSpec } from '../models/model-spec.js'
import { digest } from '../prompt/digest.js'
import { BETA } from '../validate/betas.js'
import { type Part, pathOf, type Turn } from '../validate/turns.js'
import type { Block, Json, MessagesBody } from '../wire.js'
import { mismatchText, type PrefixChain, whatChanged } from './prefix-chain.js'
import { isThinking, type Prefix, type Seals, sealedText, type Thought } from './thought.js'

/** Whether an account refuses thinking on another prefix by itself, or only when a request asks for it. */
export type BindingDefault = 'enforced' | 'lenient'

export interface ThinkingCheck {
  readonly body: MessagesBody
  readonly parts: readonly Part[]
  readonly turns: readonly Turn[]
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
  /** The sealed text of the last block that counts: what the next one follows. */
  readonly last: string
  /** Thinking tokens by block, since the text that is shown may be shorter or missing. */
  readonly tokens: ReadonlyMap<Block, number>
  /** What thinking in the answer is bound to. */
  readonly prefix: Prefix
}

/** Checks signatures, and that every thinking block stands on the prefix it was made on. */
export function checkThinking(check: ThinkingCheck): CheckedThinking {
  checkStart(check)
  const { spec, betas, chain, parts } = check
  const latest = check.turns.findLast((turn) => turn.role === 'assistant')
  const dropped = new Set<Block>()
  const tokens = new Map<Block, number>()
  const transformations: Json[] = []
  let last = ''
  for (const part of parts) {
    if (!isThinking(part.block)) {
      chain.add(part.role, part.block)
      continue
    }
    const thought = check.seals.thought.open(sealedText(part.block))
    if (!thought) throw invalid(`${pathOf(part)}: Invalid \`signature\` in \`${part.block.type}\` block`)
    if (latest && part.message >= latest.message) checkUnchanged(part, thought)
    tokens.set(part.block, thought.tokens)
    const foreign = foreignReason(thought, check)
    const mismatch = foreign ? undefined : prefixMismatch(thought, last, spec, chain)
    const action = foreign ? 'drop_block' : mismatch ? mismatchAction(check) : 'keep'
    if (action === 'error') throw invalid(mismatchText(pathOf(part), betas, mismatch as string))
    if (action !== 'keep') {
      const type = action === 'drop_block' ? 'thinking_dropped' : 'thinking_mismatch_allowed'
      transformations.push({ type, path: pathOf(part), reason: foreign ?? 'prefix_binding_mismatch' })
    }
    if (action === 'drop_block') dropped.add(part.block)
    else last = digest(sealedText(part.block))
  }
  const reported = betas.has(BETA.thinkingBinding) ? transformations : undefined
  return { dropped, transformations: reported, last, tokens, prefix: chain.prefix() }
}

function foreignReason(thought: Thought, { spec, find, organization }: ThinkingCheck): string | undefined {
  if (thought.organization !== organization) return 'organization_binding_mismatch'
  const maker = find(thought.model)
  return !maker || maker.released > spec.released ? 'model_binding_mismatch' : undefined
}

/** What changed before the block, or `undefined` when it stands where it was made. */
function prefixMismatch(thought: Thought, last: string, spec: ModelSpec, chain: PrefixChain): string | undefined {
  if (!spec.thinking.bound) return undefined
  const found = chain.prefix()
  if (!thought.prefix) return 'The block carries no record of its conversation.'
  if (thought.prefix.chain !== found.chain) return whatChanged(thought.prefix, found)
  if (last !== '' && last !== thought.before) return 'An earlier thinking block was removed or added.'
  return undefined
}

function mismatchAction({ body, bindingDefault }: ThinkingCheck): 'error' | 'drop_block' | 'allow' {
  const binding = body.thinking?.block_binding
  if (binding) return binding.prefix_mismatch_behavior ?? 'error'
  return bindingDefault === 'enforced' ? 'error' : 'allow'
}

function checkUnchanged(part: Part, thought: Thought): void {
  if (part.block.type !== 'thinking' || thought.shown === null) return
  if (digest(part.block.thinking as string) === thought.shown) return
  throw invalid(
    `${pathOf(part)}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
  )
}

/** With a fixed thinking budget, a turn that waits for tool results must open with its thinking. */
function checkStart({ body, turns }: ThinkingCheck): void {
  if (body.thinking?.type !== 'enabled') return
  const results = turns.at(-1)
  const answer = turns.at(-2)
  if (results?.parts[0]?.block.type !== 'tool_result' || answer?.role !== 'assistant') return
  const first = answer.parts[0]
  if (!first || isThinking(first.block)) return
  throw invalid(
    `${pathOf(first)}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  )
}
