import type { Need } from '@nacre/core'

/** Whether a person asked: then all may go, so the target is nothing. */
export function isByHand({ part, pressure, target, excess }: Need): boolean {
  return part !== undefined || (pressure === 'high' && target === 0 && excess > 0)
}
