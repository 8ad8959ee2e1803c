import { oneLine } from './one-line.js'

const VALUE = 80
const ALL = 160

/** What a call was asked, in a few words of one line. */
export function briefInput(input: unknown): string {
  const pairs = Object.entries(Object(input)).flatMap(([key, value]) => {
    const said = typeof value === 'string' ? value : JSON.stringify(value)
    return said === undefined || said.trim() === '' ? [] : [`${oneLine(key, VALUE)}: ${oneLine(said, VALUE)}`]
  })
  return oneLine(pairs.join(', '), ALL)
}
