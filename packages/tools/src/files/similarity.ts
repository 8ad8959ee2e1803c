const LONGEST = 400

/** How alike two texts are, from 0 to 1, by the pairs of letters that they share. */
export function similarity(one: string, other: string): number {
  const [a, b] = [pairs(one), pairs(other)]
  const size = total(a) + total(b)
  if (size === 0) return one === other ? 1 : 0
  let shared = 0
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0)
  return (2 * shared) / size
}

function pairs(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const lower = text.slice(0, LONGEST).toLowerCase()
  for (let at = 0; at + 1 < lower.length; at++) {
    const pair = lower.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

function total(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}
