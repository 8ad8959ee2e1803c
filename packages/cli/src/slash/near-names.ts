import { nearestWord } from '../settings/nearest-word.js'

/** The first names that begin as the one that was typed does; where none does, the one that a slip would make of it. */
export function nearNames(typed: string, known: readonly string[]): readonly string[] {
  const begun = typed === '' ? [] : known.filter((name) => name.startsWith(typed))
  if (begun.length > 0) return begun.slice(0, 3)
  const nearest = nearestWord(typed, known)
  // In a short word two slips leave nothing of it.
  const isNear = nearest !== undefined && (typed.length > 3 || nearest[0] === typed[0])
  return isNear ? [nearest] : []
}
