import type { ModelInfo } from '@nacre/core'

/**
 * Whether the API is to clear what is old: where thinking is bound to what stands before it, to clear it here would cost
 * what the model has thought.
 */
export function goesByApi({ thinking, can }: ModelInfo): boolean {
  return thinking === 'bound' && can.has('context-management') && !can.has('cache-edits')
}
