import type { Receipt } from '@nacre/core'

type Check = Receipt['checks'][number]

/** Begins at an edge and is bounded, so that a long line costs no more than its length. */
const PATH = /(?<![\w./~@:-])(?:~\/|\.{0,2}\/)?(?:[\w.@+-]{1,80}\/){1,20}[\w.@+-]{1,80}/g
const MARK = ' (unverified)'
const MARKED = /(?<!\S)\S+ \(unverified\)/g
const TRAILING = /[.,;:!?-]+$/

/** Marks the paths of a summary that occur nowhere in what it is about. */
export function checkPaths(
  summary: string,
  sources: readonly string[],
): { readonly text: string; readonly check: Check } {
  // What an earlier summary could not verify does not verify this one.
  const known = sources.join('\n').replace(MARKED, '')
  const unknown = new Set<string>()
  const named = new Set<string>()
  const text = summary.replace(PATH, (match: string, at: number) => {
    const path = match.replace(TRAILING, '')
    if (!isPath(path)) return match
    named.add(path)
    if (known.includes(path)) return match
    unknown.add(path)
    const isMarked = summary.startsWith(MARK, at + path.length)
    return isMarked ? match : `${path}${MARK}${match.slice(path.length)}`
  })
  const detail = unknown.size === 0 ? `${named.size} named` : `unverified: ${[...unknown].join(', ')}`
  return { text, check: { name: 'paths', ok: unknown.size === 0, detail } }
}

/** Words with a slash between them are no path: it begins like one, has a file at its end, or is deep. */
function isPath(path: string): boolean {
  return /^(?:~|\.{0,2})\//.test(path) || /\.[A-Za-z]\w{0,9}$/.test(path) || path.split('/').length > 3
}
