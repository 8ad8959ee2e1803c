/** Where something was found in a text, and how well it fits. */
export interface Match {
  readonly score: number
  /** First and last character of each place, in order; the last not included. */
  readonly places: readonly (readonly [start: number, end: number])[]
}

/** Looks at several texts at once; answers in their order, with nothing where nothing was found. Throws for the model. */
export type Matcher = (texts: readonly string[]) => readonly (Match | undefined)[]

/** More places of one text tell nothing more. */
export const MAX_PLACES = 100

/** All places of some words, as far as they count. */
export function placesOf(text: string, words: string): [start: number, end: number][] {
  const places: [number, number][] = []
  if (words === '') return places
  for (
    let at = text.indexOf(words);
    at !== -1 && places.length < MAX_PLACES;
    at = text.indexOf(words, at + words.length)
  ) {
    places.push([at, at + words.length])
  }
  return places
}

/** Whether a place is a word or name of its own, not a part of a longer one. */
export function isWhole(text: string, [start, end]: readonly [number, number]): boolean {
  const isCut = isWord(text[start - 1]) && isWord(text[start])
  const isLonger = isWord(text[end]) && isWord(text[end - 1])
  return !isCut && !isLonger
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
