import type { Need, View } from '@nacre/core'
import { mayClear } from '../clear/may-clear.js'
import type { Settings } from '../settings.js'
import { findUses, type Use } from './find-uses.js'

/** Uses whose results may go, oldest first: all but the last `keep`, and none of the turn that is still open. */
export function oldUses(view: View, need: Need, settings: Settings, keep: number): readonly Use[] {
  const uses = findUses(view).filter(({ name }) => mayClear(name, need, settings))
  const open = view.rounds.at(-1)
  const end = uses.findIndex(({ round }) => round === open)
  return uses.slice(0, Math.max(0, Math.min(end === -1 ? uses.length : end, uses.length - keep)))
}
