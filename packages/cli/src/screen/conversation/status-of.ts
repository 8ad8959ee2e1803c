import type { Inspection } from '@nacre/core'
import type { OpenedSession } from '../../session/opened-session.js'
import type { Status } from '../state/screen-state.js'

/** The figures of the last line, as the session has them now. */
export function statusOf({ session, permissions }: OpenedSession, { model, cache }: Inspection, now: number): Status {
  const { hitRate, dollars } = session.cost()
  const view = session.view()
  const isPlanning = view.state('plan-mode', 'mode') === true
  return {
    model: model.id,
    mode: isPlanning ? 'plan' : permissions.mode,
    percentLeft: session.thresholds().percentLeft(view.tokens.total),
    hitRate,
    dollars,
    cacheUntil: cache.left === undefined ? undefined : now + cache.left,
  }
}
