import type { Block } from '@nacre/core'
import { oneLine } from './one-line.js'

export function isMedia({ type }: Block): boolean {
  return type === 'image' || type === 'document'
}

/** What stands for an image or a document that had to go: what it was, and where it is. */
export function mediaText({ type, title, source }: Block, place: string | undefined): string {
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
