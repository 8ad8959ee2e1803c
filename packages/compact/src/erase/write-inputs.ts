import type { BlockRef, Need } from '@nacre/core'
import { longInputTokens } from '../clear/shorten-input.js'
import type { Use } from './find-uses.js'

/** The inputs that go with old results: all those of a tool that writes, where some of them are long. The API goes by names. */
export function writeInputs(uses: readonly Use[], need: Need): readonly BlockRef[] {
  const names = new Set(uses.filter((use) => isLongWrite(use, need)).map(({ name }) => name))
  return uses.flatMap(({ name, call }) => (names.has(name) && call.shows !== 'erased' ? [call.ref] : []))
}

function isLongWrite({ name, call }: Use, need: Need): boolean {
  if (longInputTokens(call.block) === 0) return false
  const tool = need.tool(name)
  try {
    return tool !== undefined && !tool.isReadOnly(tool.schema.parse(call.block.input))
  } catch {
    return false
  }
}
