import type { Stats } from 'node:fs'
import type { ToolContext } from '@nacre/core'
import type { Sightings } from './sightings.js'

/** Throws, with words for the model, unless the model has seen a file as it is now. */
export function mustBeSeen(
  sightings: Sightings,
  { path, hash, stats }: { readonly path: string; readonly hash: string; readonly stats: Stats },
  context: ToolContext,
): void {
  const seen = sightings.of(path, context)
  if (seen.some((each) => each.hash === hash)) return
  const last = seen.at(-1)
  if (!last) {
    throw new Error(`${path} was not read, or what was read of it is no longer in view. Read it before you change it.`)
  }
  const [then, now] = [last.changed, stats.mtimeMs].map((time) => new Date(time).toISOString())
  throw new Error(
    `${path} was changed since you have seen it: that was its state of ${then}, and it was last changed at ${now}. ` +
      'Read it again before you change it.',
  )
}
