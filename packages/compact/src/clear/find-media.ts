import { type Block, type BlockRef, estimateBlock, type Round, type View } from '@nacre/core'
import { isMedia, mediaText } from './media-text.js'

/** A block that is an image or a document, or a result that holds some, and what would stand for it. */
export interface FoundMedia {
  readonly round: Round
  readonly ref: BlockRef
  readonly block: Block
  /** Estimated tokens. */
  readonly frees: number
  readonly isOversized: boolean
  /** In the turn that is still open, or shown by the person with the last prompt. */
  readonly isRecent: boolean
}

/** Characters of base64 that are large beside any words. */
const OVERSIZED = 1_500_000

/** All media in a view, oldest first. `recall` is the tool that reads the log. */
export function findMedia(view: View, recall: string | undefined): FoundMedia[] {
  const open = view.rounds.at(-1)
  const prompt = lastPrompt(view)
  return view.rounds.flatMap((round) =>
    round.entries.flatMap(({ id, content }) =>
      content.flatMap((_, index): FoundMedia[] => {
        const ref = { entry: id, block: index }
        const [shown] = view.shown(ref)
        const media = shown ? mediaOf(shown) : []
        if (!shown || media.length === 0) return []
        const block = withoutMedia(shown, recall === undefined ? undefined : `${recall} entry ${id}`)
        const frees = estimateBlock(shown) - estimateBlock(block)
        const isOversized = media.some((each) => dataOf(each).length > OVERSIZED)
        return frees > 0 ? [{ round, ref, block, frees, isOversized, isRecent: round === open || id === prompt }] : []
      }),
    ),
  )
}

function mediaOf(block: Block): readonly Block[] {
  if (isMedia(block)) return [block]
  return block.type === 'tool_result' && Array.isArray(block.content) ? block.content.filter(isMedia) : []
}

function withoutMedia(block: Block, place: string | undefined): Block {
  if (isMedia(block)) return { type: 'text', text: mediaText(block, place) }
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block
  return { ...block, content: block.content.map((each: Block) => withoutMedia(each, place)) }
}

function dataOf({ source }: Block): string {
  const { data } = Object(source) as { readonly data?: unknown }
  return typeof data === 'string' ? data : ''
}

function lastPrompt(view: View): string | undefined {
  const entries = view.rounds.flatMap((round) => round.entries)
  return entries.findLast(({ kind, content }) => kind === 'user' && content.some(({ type }) => type !== 'tool_result'))
    ?.id
}
