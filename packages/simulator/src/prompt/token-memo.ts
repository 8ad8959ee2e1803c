const SETS = 1 << 15
const WAYS = 4

/**
 * Remembers the token counts of blocks by their digest, so that a request costs what is new in it. The table has a
 * fixed size: a newer block takes the slot of an older one, and memory does not grow with the requests seen. Blocks
 * that fall on one place share four slots, so that those of one conversation do not drive each other out.
 */
export interface TokenMemo {
  count(digest: string, count: () => number): number
}

export function tokenMemo(): TokenMemo {
  const tags = new Float64Array(SETS * WAYS)
  const counts = new Uint32Array(SETS * WAYS)
  let turn = 0
  return {
    count(digest, count) {
      const tag = tagOf(digest)
      const first = (tag % SETS) * WAYS
      for (let slot = first; slot < first + WAYS; slot++) if (tags[slot] === tag) return counts[slot] as number
      const tokens = count()
      let slot = first
      while (slot < first + WAYS && tags[slot] !== 0) slot++
      if (slot === first + WAYS) slot = first + (turn++ % WAYS)
      tags[slot] = tag
      counts[slot] = tokens
      return tokens
    },
  }
}

/** A digest as a number of 52 bits that is never 0: that one means an empty slot. */
function tagOf(digest: string): number {
  let low = 1
  let high = 1
  for (let at = 0; at < digest.length; at++) {
    const code = digest.charCodeAt(at)
    low = (Math.imul(low, 31) + code) | 0
    high = (Math.imul(high, 37) ^ code) | 0
  }
  return (high >>> 6) * 2 ** 26 + (low >>> 6) + 1
}
