import type { Block, BlockRef, Round, View } from '@nacre/core'

/** A block of the log, with how the view shows it. */
export interface SeenBlock {
  readonly ref: BlockRef
  /** As it was logged. */
  readonly block: Block
  readonly shows: ReturnType<View['shows']>
}

/** A use of a tool, whether or not its result is still seen. */
export interface Use {
  readonly name: string
  readonly call: SeenBlock
  readonly result: SeenBlock
  readonly round: Round
}

/** The uses of tools that stand in the messages and have a result, in the order in which they were made. */
export function findUses(view: View): readonly Use[] {
  return view.rounds.flatMap((round) => {
    const blocks = round.entries.flatMap(({ id, content }) =>
      content.map((block, index) => ({ block, ref: { entry: id, block: index } })),
    )
    const see = ({ block, ref }: (typeof blocks)[number]): SeenBlock => ({ ref, block, shows: view.shows(ref) })
    const results = blocks.filter(({ block }) => block.type === 'tool_result')
    return blocks.flatMap((each): Use[] => {
      const { block } = each
      const result = block.type === 'tool_use' && results.find((other) => other.block.tool_use_id === block.id)
      return result ? [{ name: String(block.name), call: see(each), result: see(result), round }] : []
    })
  })
}
