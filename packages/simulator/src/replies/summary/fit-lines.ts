import { countText } from '../../prompt/count-text.js'

/** The newest lines that fit into that many tokens, each whole and once, in their order. */
export function fitLines(lines: readonly string[], budget: number): readonly string[] {
  let left = budget
  const newest = [...new Set(lines.toReversed())].filter((line) => {
    // No token is longer than its text, and nobody counts what is far too long.
    if (left <= 0 || line.length > left * 12) return false
    const cost = countText(line) + 2
    if (cost > left) return false
    left -= cost
    return true
  })
  return newest.reverse()
}
