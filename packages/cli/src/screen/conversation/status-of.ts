import type { Inspection } from '@nacre/core'
import type { OpenedSession } from '../../session/opened-session.js'
import type { Status } from '../state/screen-state.js'

/** The figures of the last line, as the session has them now. */
export function statusOf({ session, permissions }: OpenedSession, { model, cache }: Inspection, now: number): Status {
  const { hitRate, dollars } = session.cost()
  return {
    model: model.id,
    mode: permissions.mode,
    percentLeft: session.thresholds().percentLeft(session.view().tokens.total),
    hitRate,
    dollars,
    cacheUntil: cache.left === undefined ? undefined : now + cache.left,
  }
}
