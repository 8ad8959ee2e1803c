import { whole } from '../clear/one-line.js'

/** One line of at most that many characters. */
export function cutLine(text: string, characters: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > characters ? `${whole(line.slice(0, characters - 1)).trimEnd()}…` : line
}
