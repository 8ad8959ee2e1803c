import { type Block, type BlockRef, type Draft, estimateBlock, type Relief, type Round, type View } from '@nacre/core'
import type { LayerContext } from '../layer/layer.js'
import { oneLine } from '../text/format.js'
import { spanOf } from '../view/rounds.js'
import { isMedia, recallPlace } from './clear-calls.js'

/** Behind all that is free: what a person has just shown goes when nothing else is left to go. */
const LAST = 1e-9

/**
 * Images and documents when the API says that it is too much: old ones and the largest first, those of the last prompt
 * and of the open turn when even a digest was not enough. Words are never touched.
 */
export function mediaReliefs({ flag, recall }: LayerContext): Relief[] {
  const relief = (
    name: string,
    rung: Relief['rung'],
    dollars: number,
    isWanted: (media: FoundMedia) => boolean,
  ): Relief => ({
    name,
    rung,
    // Only the API's word that it is too much makes an offer of it.
    compacts: () => false,
    offer(view, need) {
      if (!flag('clear') || need.pressure !== 'overflow') return undefined
      const media = findMedia(view, recall()).filter(isWanted)
      const span = spanOf(media.map(({ round }) => round))
      const frees = need.tokens(media.reduce((sum, each) => sum + each.frees, 0))
      return span && { span, frees, dollars, draft: () => draftOf(media) }
    },
  })
  return [
    relief('media', 'clear', 0, ({ isRecent, isOversized }) => !isRecent || isOversized),
    relief('recent-media', 'digest', LAST, ({ isRecent }) => isRecent),
  ]
}

function draftOf(media: readonly FoundMedia[]): Draft {
  const changes = media.map(({ ref, block }) => ({ kind: 'replace' as const, target: ref, content: [block] }))
  return { changes, reason: 'took out images and documents' }
}

/** A block that is an image or a document, or a result that holds some, and what would stand for it. */
interface FoundMedia {
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
function findMedia(view: View, recall: string | undefined): FoundMedia[] {
  const open = view.rounds.at(-1)
  const prompt = lastPrompt(view)
  return view.rounds.flatMap((round) =>
    round.entries.flatMap(({ id, content }) =>
      content.flatMap((_, index): FoundMedia[] => {
        const ref = { entry: id, block: index }
        const [shown] = view.shown(ref)
        const media = shown ? mediaOf(shown) : []
        if (!shown || media.length === 0) return []
        const block = withoutMedia(shown, recallPlace(id, recall))
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

/** What stands for an image or a document that had to go: what it was, and where it is. */
function mediaText({ type, title, source }: Block, place: string | undefined): string {
  const { media_type, url, data } = Object(source) as { readonly [key: string]: unknown }
  const known = [
    type,
    ...(typeof title === 'string' ? [`"${oneLine(title, 80)}"`] : []),
    ...(typeof media_type === 'string' ? [oneLine(media_type, 40)] : []),
    ...(typeof data === 'string' ? [`${Math.ceil(data.length / 1_000)} kB`] : []),
    ...(typeof url === 'string' ? [oneLine(url, 200)] : []),
  ].join(', ')
  const kept = place === undefined ? '' : ` It is kept: ${place}.`
  return `[${known}: taken out because the conversation was too long.${kept} Ask for it again if you need to see it.]`
}
