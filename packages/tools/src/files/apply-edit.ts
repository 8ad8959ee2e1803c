import { commonEnd, toLf, withEnds } from './line-ends.js'
import { nearestLines } from './nearest-lines.js'

/** One exact replacement. */
export interface TextEdit {
  readonly old_string: string
  readonly new_string: string
  readonly replace_all: boolean
}

const NAMED_LINES = 10

/**
 * Replaces in a text whose line ends are as they are on disk; the model knows `\n` only. Throws, with words for the
 * model, when the text is not there, there more than once, or would stay as it is.
 */
export function applyEdit(raw: string, { old_string, new_string, replace_all }: TextEdit): string {
  const [old, text, plain] = [toLf(old_string), toLf(new_string), toLf(raw)]
  if (old === '') throw new Error('old_string is empty: give the text to replace. A new file is made with Write.')
  if (old === text) throw new Error('old_string and new_string are the same: nothing would change.')
  const found = placesOf(plain, old)
  if (found.length === 0) throw new Error(`old_string is not in the file.${nearestLines(plain, old)}`)
  const meant = replace_all ? [] : withOverlap(plain, old, found)
  if (meant.length > 1) throw new Error(notUnique(plain, meant))
  const common = commonEnd(raw)
  const onDisk = offsets(raw)
  let result = ''
  let end = 0
  for (const place of found) {
    const [from, to] = [onDisk(place), onDisk(place + old.length)]
    result += raw.slice(end, from) + withEnds(raw.slice(from, to), text, common)
    end = to
  }
  return result + raw.slice(end)
}

function placesOf(text: string, old: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) places.push(at)
  return places
}

/** A place that overlaps the only one found may be meant as well. */
function withOverlap(text: string, old: string, places: readonly number[]): readonly number[] {
  const [first = 0, ...others] = places
  const next = others.length > 0 ? -1 : text.indexOf(old, first + 1)
  return next < 0 ? places : [first, next]
}

function notUnique(text: string, places: readonly number[]): string {
  const lines = places.slice(0, NAMED_LINES).map((place) => text.slice(0, place).split('\n').length)
  const more = places.length > lines.length ? ' and more' : ''
  return (
    `old_string is in the file ${places.length} times, at lines ${lines.join(', ')}${more}. Give more of the lines ` +
    'around the one that is meant, or set replace_all to replace every one.'
  )
}

/** Where a place in the text with `\n` is in the text on disk. Must be asked in rising order. */
function offsets(raw: string): (place: number) => number {
  let wide = 0
  let next = raw.indexOf('\r\n')
  return (place) => {
    while (next >= 0 && next - wide < place) {
      wide += 1
      next = raw.indexOf('\r\n', next + 2)
    }
    return place + wide
  }
}
