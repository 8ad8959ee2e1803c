import { nearestWord } from '../settings/nearest-word.js'

/** Names that begin as the one that was typed does, and the one that a slip would make of it; three at most. */
export function nearNames(typed: string, known: readonly string[]): readonly string[] {
  const begun = typed === '' ? [] : known.filter((name) => name.startsWith(typed))
  const slip = nearestWord(typed, known)
  return [...new Set([...begun, ...(slip === undefined ? [] : [slip])])].slice(0, 3)
}
