import { late } from '../async/late.js'
import type { Awaitable } from '../contract/answer.js'
import { LOOKBACK } from '../request/markers.js'
import {
  type CachedRequest,
  expired,
  isExpired,
  isReached,
  isShared,
  type Prediction,
  promise,
  SERVER,
  type Suspect,
} from './prediction.js'
import type { SentPrefix } from './sent-prefix.js'
import { sharedEnd } from './shared-end.js'

const UNREACHED: Suspect = {
  cause: 'markers',
  owner: 'core',
  what: `no marker within ${LOOKBACK} blocks behind what is cached`,
}

/**
 * What was cached of the last request and is sent again should be read again. Only when something of it is not sent
 * again somebody has to look closer.
 */
export function predictRead(cached: CachedRequest, after: SentPrefix): Awaitable<Prediction | undefined> {
  const { sent: before, entries } = cached
  const last = entries.at(-1)
  if (!last || after.markers.length === 0) return undefined
  const share = sharedEnd(before, after)
  if (share && !isShared(last, share)) return predictChanged(cached, after, share)
  const suspect = isExpired(before, after) ? expired(before, after) : isReached(last, after) ? SERVER : UNREACHED
  return promise(before, after, last, suspect)
}

const closerLook = late(() => import('./predict-after-change.js'))

async function predictChanged(...changed: Changed): Promise<Prediction | undefined> {
  const { predictAfterChange } = await closerLook()
  return predictAfterChange(...changed)
}

type Changed = Parameters<typeof import('./predict-after-change.js')['predictAfterChange']>
