import { type Block, type BlockRef, estimateBlock, type Round, type View } from '@nacre/core'
import { isClearedLine } from './cleared-line.js'
import { resultText } from './result-text.js'
import { longInputTokens } from './shorten-input.js'

/** A block with where it stands. */
export interface PlacedBlock {
  readonly ref: BlockRef
  readonly block: Block
}

/** A call with its result, as they are shown. */
export interface FoundCall {
  readonly name: string
  readonly use: PlacedBlock
  readonly result: PlacedBlock
  /** The round it stands in, and the part of it that the view has. */
  readonly round: Round
  /** Estimated tokens that clearing the result and shortening the input would free; 0 where it is not worth it. */
  readonly resultFrees: number
  readonly inputFrees: number
}

/** What the line that stands for a result takes, about. */
const LINE = 110
/** Below that nothing is won: the line says little less than the result. */
const LEAST = 150

const known = new WeakMap<Round, readonly FoundCall[]>()

/** The calls of a view that have a result and would free something, oldest first. */
export function findCalls(view: View): readonly FoundCall[] {
  return view.rounds.flatMap((round) => {
    const found = known.get(round) ?? callsOf(view, round)
    // A round that changed is another object.
    known.set(round, found)
    return found
  })
}

function callsOf(view: View, round: Round): FoundCall[] {
  const blocks = round.entries.flatMap(({ id, content }) =>
    content.map((block, index) => ({ block, ref: { entry: id, block: index } })),
  )
  const uses = new Map(
    blocks.filter(({ block }) => block.type === 'tool_use').map((use) => [use.block.id, asShown(view, use)]),
  )
  return blocks.flatMap(({ block, ref }) => {
    const use = block.type === 'tool_result' ? uses.get(block.tool_use_id) : undefined
    const [shown] = view.shown(ref)
    if (!use || !shown) return []
    const resultFrees = isCleared(view, ref, shown) ? 0 : worth(estimateBlock(shown) - LINE)
    const inputFrees = view.shows(use.ref) === 'whole' ? worth(longInputTokens(use.block)) : 0
    if (resultFrees + inputFrees === 0) return []
    return [{ name: String(use.block.name), use, result: { ref, block: shown }, round, resultFrees, inputFrees }]
  })
}

/** What was taken out of a call must not come back by the line that stands for its result. */
function asShown(view: View, { block, ref }: PlacedBlock): PlacedBlock {
  return { ref, block: view.shown(ref)[0] ?? { ...block, input: {} } }
}

function isCleared(view: View, ref: BlockRef, shown: Block): boolean {
  return view.shows(ref) === 'changed' && isClearedLine(resultText(shown))
}

function worth(tokens: number): number {
  return tokens >= LEAST ? tokens : 0
}
