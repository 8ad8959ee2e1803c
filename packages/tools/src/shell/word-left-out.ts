import type { LeftOut } from './kept-ends.js'

/** Where the output is kept, and why not all of it where that is so. */
export interface KeptFile {
  readonly path: string | undefined
  readonly bytes: number
  readonly problem: string | undefined
}

/** Says what a result does not show, and how to see it. */
export function wordLeftOut(left: LeftOut, { path, bytes, problem }: KeptFile): string {
  const lines = left.lines > 1 ? `, lines ${number(left.from)} to ${number(left.from + left.lines - 1)}` : ''
  const gap = `${number(left.bytes)} of ${number(left.totalBytes)} bytes are left out here${lines}.`
  return `[… ${gap} ${place({ path, bytes, problem })} …]`
}

function place({ path, bytes, problem }: KeptFile): string {
  const again = 'Run the command again through head, tail or grep to see more.'
  if (path === undefined) return `They could not be kept: ${problem}. ${again}`
  const how = 'read parts of it with Read (offset, limit) or search it with Grep.'
  if (problem === undefined) return `You have not seen them. The whole output is in ${path}: ${how}`
  return `The first ${number(bytes)} bytes are in ${path}: ${how} The rest could not be kept: ${problem}. ${again}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
