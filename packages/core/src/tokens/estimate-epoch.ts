import type { Epoch } from '../log/edit.js'
import { isDeferred } from '../prompt/deferred-tools.js'
import { estimateBlock } from './estimate-block.js'
import { estimateText } from './estimate-text.js'

const known = new WeakMap<Epoch, number>()

/** Estimated tokens of the system prompt and the tools. Deferred ones are no part of the prompt. */
export function estimateEpoch(epoch: Epoch): number {
  const found = known.get(epoch)
  if (found !== undefined) return found
  const system = epoch.system.reduce((sum, block) => sum + estimateBlock(block), 0)
  const tools = epoch.tools.filter((tool) => !isDeferred(tool))
  const tokens = tools.reduce<number>((sum, tool) => sum + estimateText(JSON.stringify(tool)), system)
  known.set(epoch, tokens)
  return tokens
}
