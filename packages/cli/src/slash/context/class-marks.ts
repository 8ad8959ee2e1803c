import type { Colour } from '../text/paint.js'

/** How a class stands in the grid and in the table. */
export interface ClassMark {
  readonly symbol: string
  readonly colour: Colour
}

const COLOURS: readonly Colour[] = [
  'blue',
  'green',
  'yellow',
  'magenta',
  'cyan',
  'red',
  'brightBlue',
  'brightGreen',
  'brightYellow',
  'brightRed',
]
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A mark by place, largest first: a block in a colour, or a letter where there are no colours. */
export function classMark(index: number, hasColour: boolean): ClassMark {
  const colour = COLOURS[index % COLOURS.length] as Colour
  return { symbol: hasColour ? '█' : (LETTERS[index] ?? '?'), colour }
}
