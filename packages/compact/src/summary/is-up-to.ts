import type { Need } from '@nacre/core'

/** Whether only what precedes a message is summarised, so that the last sections have other titles. */
export function isUpTo({ part }: Pick<Need, 'part'>): boolean {
  return part !== undefined && 'upTo' in part
}
