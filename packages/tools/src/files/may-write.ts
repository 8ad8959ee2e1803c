import type { Verdict } from '@nacre/core'

/** Writing is for a person to allow, or for a rule of theirs. */
export function mayWrite(path: string): Verdict<'ask'> {
  return { verdict: 'ask', reason: `It would write to ${path}.` }
}
