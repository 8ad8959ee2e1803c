import type { BytePath } from './byte-path.js'

const SLASH = 47

export interface FirstPaths {
  readonly paths: readonly BytePath[]
  readonly total: number
}

/**
 * The first paths, in order, of a list that ends each with a NUL, and how many there are. Of many thousand a few are
 * wanted: so those beyond the last of these are passed over, and only the others are ever sorted.
 */
export function firstPaths(output: Buffer, wanted: number, accepts?: (path: BytePath) => boolean): FirstPaths {
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
