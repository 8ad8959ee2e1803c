import type { Need } from '@nacre/core'
import type { Parts } from '../parts.js'

/** Whether old results are deleted from the server's cache, which costs nothing as long as the cache is there. */
export function goesByCache({ model, pace }: Need, { flag }: Pick<Parts, 'flag'>): boolean {
  return flag('cached') && model.can.has('cache-edits') && !pace.isCold
}
