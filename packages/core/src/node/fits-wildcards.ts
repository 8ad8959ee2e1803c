/**
 * Whether a text fits a pattern in which `*` stands for anything, and, where `any` names one, that character for any one.
 * In steps of at most the length of one times that of the other: patterns come from strangers too, and a regular
 * expression tries every way in which ten stars can share a text.
 */
export function fitsWildcards(pattern: string, text: string, any?: string): boolean {
  let [at, star, resume] = [0, -1, 0]
  for (let place = 0; place < text.length; ) {
    if (pattern[at] === '*') {
      star = at++
      resume = place
    } else if (at < pattern.length && (pattern[at] === text[place] || pattern[at] === any)) {
      at += 1
      place += 1
    } else if (star >= 0) {
      // Only the last star need take more: what stands before it fits already, as early as it can.
      at = star + 1
      place = ++resume
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
