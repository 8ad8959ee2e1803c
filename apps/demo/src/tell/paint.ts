import { styleText } from 'node:util'

/** Colours for a terminal, or none. */
export interface Paint {
  bold(text: string): string
  dim(text: string): string
  good(text: string): string
  bad(text: string): string
}

export function painter(hasColour: boolean): Paint {
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    hasColour ? styleText(format, text, { validateStream: false }) : text
  return { bold: style('bold'), dim: style('dim'), good: style('cyan'), bad: style('red') }
}
