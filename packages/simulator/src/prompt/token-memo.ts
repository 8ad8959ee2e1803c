const SLOTS = 1 << 17

/**
 * Remembers the token counts of blocks by their digest, so that a request costs what is new in it. The table has a
 * fixed size: a newer block takes the slot of an older one, and memory does not grow with the requests seen.
 */
export interface TokenMemo {
  count(digest: string, count: () => number): number
}

export function tokenMemo(): TokenMemo {
  const tags = new Float64Array(SLOTS)
  const counts = new Uint32Array(SLOTS)
  return {
    count(digest, count) {
      const tag = tagOf(digest)
      const slot = tag % SLOTS
      if (tags[slot] === tag) return counts[slot] as number
      const tokens = count()
      tags[slot] = tag
      counts[slot] = tokens
      return tokens
    },
  }
}

/** Eight characters of a digest as a number: 48 bits of it in 53. */
function tagOf(digest: string): number {
  let tag = 1
  for (let at = 0; at < 8; at++) tag = tag * 67 + (digest.charCodeAt(at) % 67)
  return tag
}
