import type { Draft, Offer, Relief } from '@nacre/core'
import type { Parts } from '../parts.js'
import { type FoundMedia, findMedia } from './find-media.js'
import { tokenFactor } from './token-factor.js'

/** Behind all that is free: what a person has just shown goes when nothing else is left to go. */
const LAST = 1e-9

/**
 * Images and documents when the API says that it is too much: old ones and the largest first, those of the last prompt
 * and of the open turn when even a digest was not enough. Words are never touched.
 */
export function mediaReliefs({ flag, recall }: Parts): Relief[] {
  const relief = (name: string, rung: Relief['rung'], dollars: number, isWanted: (media: FoundMedia) => boolean) => ({
    name,
    rung,
    offer: (view: Parameters<Relief['offer']>[0], need: Parameters<Relief['offer']>[1]): Offer | undefined => {
      if (!flag('clear') || need.pressure !== 'overflow') return undefined
      const media = findMedia(view, recall()).filter(isWanted)
      const [first] = media
      const last = media.at(-1)
      if (!first || !last) return undefined
      const frees = Math.ceil(tokenFactor(view) * media.reduce((sum, each) => sum + each.frees, 0))
      const span = { from: first.round.span.from, to: last.round.span.to }
      return { span, frees, dollars, draft: () => draftOf(media) }
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
