import { isWhole, MAX_PLACES, type Match, type Matcher, placesOf } from './matcher.js'

/**
 * Finds an exact name, to the letter. An index of names may have other spaces than the text, so where a text does not
 * have it as it is, any space stands for any other and for the escape of one.
 */
export function matchAnchor(anchor: string): Matcher {
  const name = anchor.trim()
  // No part holds what may stand between two parts: a text full of it would be tried in every way there is.
  const parts = name.split(/(?:\s|\\[nrt])+/).filter((part) => part !== '')
  const loose = parts.length > 0 ? new RegExp(parts.map(escaped).join('(?:\\s|\\\\[nrt])+'), 'g') : undefined
  const match = (text: string): Match | undefined => {
    const exact = placesOf(text, name)
    const whole = exact.filter((place) => isWhole(text, place))
    if (whole.length > 0) return { score: 3, places: whole }
    if (exact.length > 0) return { score: 2, places: exact }
    const near: [number, number][] = []
    for (const { 0: found, index } of loose ? text.matchAll(loose) : []) {
      near.push([index, index + found.length])
      if (near.length === MAX_PLACES) break
    }
    return near.length > 0 ? { score: 1, places: near } : undefined
  }
  return (texts) => texts.map(match)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
