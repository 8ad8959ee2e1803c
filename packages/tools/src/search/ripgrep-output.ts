import {
  type BytePath,
  entriesIn,
  type FileMatches,
  type GrepAnswer,
  type GrepQuestion,
  sortKey,
} from './search-question.js'

const HEADING = Buffer.from('\n./')
const NOTHING = Buffer.alloc(0)
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Reads what ripgrep has written so far, and puts it in the order of paths: at least the entries that are wanted, and how
 * many there are. What was cut off at the end is left out.
 */
export function readMatches(output: Buffer, question: GrepQuestion): Required<Pick<GrepAnswer, 'found' | 'total'>> {
  const { mode, filter, file, wanted } = question
  const accepts = file === undefined ? filter.accepts : undefined
  if (mode === 'files_with_matches') {
    const { paths, total } = firstPaths(output, wanted, accepts)
    return { found: paths.map((path) => ({ path, body: NOTHING })), total }
  }
  const all = mode === 'content' ? readContent(output) : readCounts(output)
  const found = inOrder(accepts ? all.filter(({ path }) => accepts(path)) : all)
  return { found, total: found.reduce((sum, matches) => sum + entriesIn(matches, mode), 0) }
}

function readCounts(output: Buffer): FileMatches[] {
  const found: FileMatches[] = []
  for (let at = 0; at < output.length; ) {
    const nul = output.indexOf(0, at)
    const end = output.indexOf(LINE_FEED, nul)
    if (nul === -1 || end === -1) break
    const number = output.toString('latin1', nul + 1, end).trimEnd()
    found.push({ path: output.toString('latin1', at + 2, nul), body: Buffer.from(number) })
    at = end + 1
  }
  return found
}

function readContent(output: Buffer): FileMatches[] {
  const found: FileMatches[] = []
  for (let at = 0; at < output.length; ) {
    const nul = output.indexOf(0, at)
    if (nul === -1) break
    // Every line below a path begins with a number or is a gap: what begins with ./ is the next path, after an empty
    // line, or else a warning that the file is binary after all.
    const next = output.indexOf(HEADING, nul)
    const end = next === -1 ? output.lastIndexOf(LINE_FEED) + 1 : endBefore(output, next)
    if (end !== undefined && end > nul + 1) {
      found.push({ path: output.toString('latin1', at + 2, nul), body: output.subarray(nul + 1, end) })
    }
    at = next === -1 ? output.length : end === undefined ? afterWarning(output, next) : next + 1
  }
  return found
}

/** Where the empty line begins that ends here, if one does. With --crlf ripgrep writes it with a carriage return. */
function endBefore(output: Buffer, at: number): number | undefined {
  const start = output[at - 1] === CARRIAGE_RETURN ? at - 1 : at
  return output[start - 1] === LINE_FEED ? start : undefined
}

function afterWarning(output: Buffer, at: number): number {
  const next = output.indexOf(HEADING, at + 1)
  return next === -1 ? output.length : next + 1
}

function inOrder(found: readonly FileMatches[]): FileMatches[] {
  return found
    .map((matches) => ({ matches, key: sortKey(matches.path) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ matches }) => matches)
}

const SLASH = 47

interface FirstPaths {
  readonly paths: readonly BytePath[]
  readonly total: number
}

/**
 * The first paths, in order, of a list that ends each with a NUL, and how many there are. Of many thousand a few are
 * wanted: so those beyond the last of these are passed over, and only the others are ever sorted.
 */
function firstPaths(output: Buffer, wanted: number, accepts?: (path: BytePath) => boolean): FirstPaths {
  let kept: string[] = []
  let last: string | undefined
  let total = 0
  for (const key of keysOf(output)) {
    if (accepts && !accepts(pathOf(key))) continue
    total += 1
    if (last !== undefined && key > last) continue
    kept.push(key)
    if (kept.length < 2 * wanted) continue
    kept = kept.sort().slice(0, wanted)
    last = kept.at(-1)
  }
  return { paths: kept.sort().slice(0, wanted).map(pathOf), total }
}

/** With '/' and NUL changed for one another the list divides into keys that sort folder by folder without more ado. */
function keysOf(output: Buffer): string[] {
  const swapped = Buffer.from(output)
  for (let at = 0; at < swapped.length; at++) {
    if (swapped[at] === 0) swapped[at] = SLASH
    else if (swapped[at] === SLASH) swapped[at] = 0
  }
  const keys = swapped.toString('latin1').split('/')
  keys.pop()
  return keys
}

function pathOf(key: string): BytePath {
  return key.slice(2).replaceAll('\0', '/')
}
