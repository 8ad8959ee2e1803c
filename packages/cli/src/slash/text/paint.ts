const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  brightRed: [91, 39],
  brightGreen: [92, 39],
  brightYellow: [93, 39],
  brightBlue: [94, 39],
} as const

export type Colour = keyof typeof CODES

/** Text in a colour, or as it is where there are none. */
export function paint(text: string, colour: Colour, hasColour: boolean): string {
  if (!hasColour || text === '') return text
  const [begin, end] = CODES[colour]
  return `\u001b[${begin}m${text}\u001b[${end}m`
}
