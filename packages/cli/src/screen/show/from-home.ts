import { isAbsolute, join, relative, sep } from 'node:path'

/** A folder as people name it: from their home where it is in there. */
export function fromHome(folder: string, home: string): string {
  const below = relative(home, folder)
  const isBelow = home !== '' && !isAbsolute(below) && below.split(sep)[0] !== '..'
  return isBelow ? join('~', below) : folder
}
