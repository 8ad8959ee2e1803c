const MIXED = /[A-Za-z]*\d+[A-Za-z][A-Za-z0-9]*|[A-Za-z]+\d[A-Za-z0-9]*/g
const REPEATED = /([a-z]+[^a-z]{1,2})\1{2,}/g

/**
 * The form of a name without its letters and digits: names that a program made by one rule share it. How long a word is
 * does not count, nor how many parts there are once there are many.
 */
export function nameShape(name: string): string {
  if (/\s/.test(name) && /[A-Za-z]{3}/.test(name)) return /\d/.test(name) ? 'said with number' : 'said'
  return name
    .replace(MIXED, (run) => `{${sizeOf(run)}}`)
    .replace(/[A-Za-z_$]+/g, (run) => (/[a-z]/.test(run) ? 'w' : 'v'))
    .replace(/\d+/g, (run) => (run.length > 4 ? 'n' : run.length > 2 ? 'm' : 'd'))
    .replace(/\{(\d)\}/g, (_, size: string) => `x${'y'.repeat(Number(size))}`)
    .replace(REPEATED, '$1$1$1')
}

function sizeOf({ length }: string): number {
  return length > 20 ? 3 : length > 10 ? 2 : length > 6 ? 1 : 0
}
