import { cleanText } from '../terminal/clean-text.js'

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const

/** How long ago something was, for people. */
export function ago(milliseconds: number): string {
  const [size, unit] = UNITS.find(([each]) => milliseconds >= each) ?? [0, '']
  if (size === 0) return 'just now'
  const count = Math.floor(milliseconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

/** A number of bytes, for people. */
export function bytes(count: number): string {
  if (count < 1_000) return `${count} B`
  const [divisor, unit] = count < 1_000_000 ? [1_000, 'kB'] : [1_000_000, 'MB']
  return `${(count / divisor).toFixed(1)} ${unit}`
}

/** Words in one line of at most so many characters, with nothing in it that a terminal would act on. */
export function oneLine(text: string, length: number): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  return characters.length <= length ? line : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`
}
