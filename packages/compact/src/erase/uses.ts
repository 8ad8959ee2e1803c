import type { Block, BlockRef, Change, Edit, Need, Round, SessionStore, Span, View } from '@nacre/core'
import { mayClear } from '../clear/clear-calls.js'
import type { Settings } from '../layer/layer.js'
import { refKey, revertedEdits } from '../log/edits.js'

/** A block of the log, with how the view shows it. */
export interface SeenBlock {
  readonly ref: BlockRef
  /** As it was logged. */
  readonly block: Block
  readonly shows: ReturnType<View['shows']>
}

/** A use of a tool, whether or not its result is still seen. */
export interface ToolUse {
  readonly name: string
  readonly call: SeenBlock
  readonly result: SeenBlock
  readonly round: Round
}

/** The uses of tools that stand in the messages and have a result, in the order in which they were made. */
export function findUses(view: View): readonly ToolUse[] {
  return view.rounds.flatMap((round) => {
    const blocks = round.entries.flatMap(({ id, content }) =>
      content.map((block, index) => ({ block, ref: { entry: id, block: index } })),
    )
    const see = ({ block, ref }: (typeof blocks)[number]): SeenBlock => ({ ref, block, shows: view.shows(ref) })
    const results = blocks.filter(({ block }) => block.type === 'tool_result')
    return blocks.flatMap((each): ToolUse[] => {
      const { block } = each
      const result = block.type === 'tool_use' && results.find((other) => other.block.tool_use_id === block.id)
      return result ? [{ name: String(block.name), call: see(each), result: see(result), round }] : []
    })
  })
}

/** Uses whose results may go, oldest first: all but the last `keep`, and none of the turn that is still open. */
export function oldUses(view: View, need: Need, settings: Settings, keep: number): readonly ToolUse[] {
  const uses = findUses(view).filter(({ name }) => mayClear(name, need, settings))
  const open = view.rounds.at(-1)
  const end = uses.findIndex(({ round }) => round === open)
  return uses.slice(0, Math.max(0, Math.min(end === -1 ? uses.length : end, uses.length - keep)))
}

/** From the first entry with one of the blocks to the last one, so that the cache is kept up to there. */
export function eraseSpan({ rounds }: View, targets: readonly BlockRef[]): Span | undefined {
  const entries = new Set(targets.map(({ entry }) => entry))
  const ids = rounds.flatMap((round) => round.entries.map(({ id }) => id)).filter((id) => entries.has(id))
  const [first] = ids
  const last = ids.at(-1)
  return first !== undefined && last !== undefined ? { from: first, to: last } : undefined
}

/** What takes back the plugin's own edits in force that erase some of those blocks, named by their keys, oldest first. */
export async function revertErases(store: SessionStore, erased: ReadonlySet<string>): Promise<readonly Change[]> {
  const edits: Edit[] = []
  for await (const entry of store.read()) if (entry.kind === 'edit') edits.push(entry)
  const reverted = revertedEdits(edits)
  const own = edits.filter(
    ({ id, owner, changes }) =>
      !reverted.has(id) && owner === 'compact' && changes.every(({ kind }) => kind === 'erase'),
  )
  const wanted = own.filter(({ changes }) =>
    changes.some((change) => change.kind === 'erase' && erased.has(refKey(change.target))),
  )
  return wanted.map(({ id }) => ({ kind: 'revert', edit: id }))
}
