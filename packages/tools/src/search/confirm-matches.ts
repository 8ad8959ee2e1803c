import { entriesIn, type FileMatches, type GrepAnswer, type GrepQuestion } from './search-question.js'

/** So many files are looked into at a time. */
const BATCH = 200
/** Up to so many are all looked into once more, so that it can be said how many matches there are. */
const MOST_COUNTED = 400

/**
 * What was found, as it is found again in files that are really where they are said to be. A folder or a file that became a
 * link after ripgrep had looked at it has led it to a place that nobody has allowed: nothing of that is in the answer, and
 * it has no part in the number of matches either.
 */
export async function confirmMatches(
  { found, total, notes }: GrepAnswer,
  { mode, wanted }: GrepQuestion,
  lookAgain: (batch: readonly FileMatches[]) => Promise<readonly FileMatches[]>,
): Promise<GrepAnswer> {
  const isWhole = total === entriesOf(found, mode)
  const all = isWhole && found.length <= MOST_COUNTED
  const confirmed: FileMatches[] = []
  let at = 0
  while (at < found.length && (all || entriesOf(confirmed, mode) < wanted)) {
    const missing = wanted - entriesOf(confirmed, mode)
    const end = all ? at + BATCH : endOfBatch({ found, mode, at, missing })
    confirmed.push(...(await lookAgain(found.slice(at, end))))
    at = end
  }
  const counted = isWhole && at >= found.length && { total: entriesOf(confirmed, mode) }
  return { found: confirmed, ...counted, ...(notes && { notes }) }
}

function entriesOf(found: readonly FileMatches[], mode: GrepQuestion['mode']): number {
  return found.reduce((sum, matches) => sum + entriesIn(matches, mode), 0)
}

interface Missing extends Pick<GrepAnswer, 'found'>, Pick<GrepQuestion, 'mode'> {
  readonly at: number
  readonly missing: number
}

/** Behind the files that have the entries that are missing, as far as the first look tells. */
function endOfBatch({ found, mode, at, missing }: Missing): number {
  let end = at
  for (let entries = 0; end < found.length && end < at + BATCH && entries < missing; end++) {
    entries += entriesOf(found.slice(end, end + 1), mode)
  }
  return Math.max(end, at + 1)
}
