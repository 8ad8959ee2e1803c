import { inFigures } from './in-figures.js'

/** `1 message`, `2 messages`. */
export function counted(count: number, what: string): string {
  return `${inFigures(count)} ${what}${count === 1 ? '' : 's'}`
}
