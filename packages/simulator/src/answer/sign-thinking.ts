import { digest } from '../prompt/digest.js'
import { extendTrail, type Seals, type Trail } from '../thinking/thought.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Block } from '../wire.js'
import type { OutputBlock } from './finish-reply.js'

export interface Signed {
  readonly blocks: readonly OutputBlock[]
  /** The thinking up to the end of these blocks: the next one names it. */
  readonly trail: Trail
}

/** Seals the thinking of an answer to the conversation it was made in, and shows as much of it as was asked for. */
export function signThinking(
  blocks: readonly OutputBlock[],
  { body, spec, account, chain }: CheckedRequest,
  before: Trail,
  seals: Seals,
): Signed {
  const isShown = (body.thinking?.display ?? spec.thinking.display) !== 'omitted'
  let trail = before
  const signed = blocks.map((output): OutputBlock => {
    if (!output.isThinking) {
      chain.add({ role: 'assistant', block: output.block })
      return output
    }
    const text = isShown ? (output.block.thinking as string) : ''
    const seal = seals.thought.close({
      organization: account.organization,
      model: spec.id,
      tokens: output.tokens,
      shown: isShown ? digest(text) : null,
      prefix: spec.thinking.bound ? chain.prefix() : null,
      trail,
    })
    trail = extendTrail(trail, seal)
    const block: Block = output.block.redacted
      ? { type: 'redacted_thinking', data: seal }
      : { type: 'thinking', thinking: text, signature: seal }
    return { ...output, block }
  })
  return { blocks: signed, trail }
}
