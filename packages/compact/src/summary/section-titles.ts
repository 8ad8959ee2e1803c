/** The nine parts of a summary, in order. */
const WHOLE = [
  'Primary request and intent',
  'Key technical concepts',
  'Files and code',
  'Errors and fixes',
  'Problem solving',
  'All user messages',
  'Pending tasks',
  'Current work',
  'Next step',
] as const

/** Of what precedes a point: the work went on behind it, so there is no current work to tell of. */
const BEFORE = [...WHOLE.slice(0, 7), 'Work completed', 'Context for continuing'] as const

export const USER_MESSAGES = 6
export const PENDING_TASKS = 7

/** The titles of the nine sections; those of a summary up to a point end differently. */
export function sectionTitles(isUpTo: boolean): readonly string[] {
  return isUpTo ? BEFORE : WHOLE
}
