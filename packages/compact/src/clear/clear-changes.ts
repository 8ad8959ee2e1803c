import { type Block, estimateBlock, type Replace } from '@nacre/core'
import { clearedLine } from './cleared-line.js'
import type { FoundCall, PlacedBlock } from './find-calls.js'
import { mediaIn, resultText } from './result-text.js'
import { shortenInput } from './shorten-input.js'
import { storedPlace } from './stored-place.js'
import { type Names, namesIn, tellingNames } from './telling-names.js'

/** Tokens that the names in a line may take. */
const NAMES = 40

export interface ClearOptions {
  /** Calls that stay: what they name as well tells less. */
  readonly others: readonly FoundCall[]
  /** The tool that reads the log, where there is one. */
  readonly recall: string | undefined
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
}

/** What clears calls: a line for each result, and inputs without their long strings. Nothing becomes larger by it. */
export function clearChanges(calls: readonly FoundCall[], options: ClearOptions): Replace[] {
  const names = new Map([...calls, ...options.others].map((call) => [call, namesIn(resultText(call.result.block))]))
  return calls.flatMap((call) => {
    const { use, result, inputFrees, resultFrees } = call
    const input = inputFrees > 0 ? shortenInput(use.block, recalled(use, options)) : undefined
    const cleared = resultFrees > 0 ? clearResult(call, names, options) : undefined
    return [...(input ? [replace(use, input)] : []), ...(cleared ? [replace(result, cleared)] : [])]
  })
}

function replace({ ref }: PlacedBlock, block: Block): Replace {
  return { kind: 'replace', target: ref, content: [block] }
}

function recalled({ ref }: PlacedBlock, { recall }: ClearOptions): string | undefined {
  return recall === undefined ? undefined : `${recall} entry ${ref.entry}`
}

function clearResult(call: FoundCall, names: ReadonlyMap<FoundCall, Names>, options: ClearOptions): Block | undefined {
  const { block } = call.result
  const others = [...names].flatMap(([other, found]) => (other === call ? [] : [found]))
  const known = {
    tool: call.name,
    input: call.use.block.input,
    tokens: options.tokens(estimateBlock(block)),
    media: mediaIn(block),
    isError: block.is_error === true,
    place: storedPlace(block) ?? recalled(call.result, options),
  }
  const found = tellingNames(names.get(call) ?? new Map(), others, NAMES)
  const lines = [found, []].map((chosen) => clearedLine({ ...known, names: chosen }))
  return lines.map((text) => withText(block, text)).find((shorter) => estimateBlock(shorter) < estimateBlock(block))
}

/** The same result with other words. */
function withText({ tool_use_id, is_error }: Block, text: string): Block {
  const content = [{ type: 'text', text }]
  return { type: 'tool_result', tool_use_id, content, ...(is_error === true && { is_error }) }
}
