import { bindingDigest, type DigestOf, digest } from '../prompt/digest.js'
import { BETA } from '../validate/betas.js'
import type { Block, MessagesBody, Role } from '../wire.js'
import { isThinking, type Prefix, type Seals } from './thought.js'

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

export function prefixChain(body: MessagesBody, seals: Seals, digestOf: DigestOf): PrefixChain {
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
  const inPrompt = body.tools.filter((tool) => !tool.defer_loading)
  const tools = digest(inPrompt.map(bindingDigest).sort().join())
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

function isFailedSummary(block: Block): boolean {
  return block.type === 'compaction' && block.content == null
}

/** Whether a block holds objects, whose keys may come back in another order. Text, the bulk of a request, does not. */
function hasKeys(block: Block): boolean {
  if (block.type === 'text') return Array.isArray(block.citations) && block.citations.length > 0
  return block.type !== 'tool_result' || typeof block.content !== 'string'
}

/** For models that do not bind thinking to its prefix. */
export function unboundChain(): PrefixChain {
  return { add: () => undefined, prefix: () => ({ chain: '', system: '', tools: '' }) }
}

/** Why a block that was made on one prefix does not fit another, as a sentence of the error. */
export function whatChanged(made: Prefix, found: Prefix): string {
  if (made.system !== found.system) return 'The `system` prompt has changed.'
  if (made.tools !== found.tools) return 'The set of `tools` has changed.'
  return 'A message before it has changed.'
}

export function mismatchText(path: string, betas: ReadonlySet<string>, change: string): string {
  const advice = betas.has(BETA.thinkingBinding)
    ? ''
    : ` That setting requires the \`${BETA.thinkingBinding}\` value in the \`anthropic-beta\` header.`
  return `${path}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".${advice} ${change}`
}
