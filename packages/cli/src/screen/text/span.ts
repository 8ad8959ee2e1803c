/** How a piece of text looks; without colour only the words are left. */
export type Style = 'bold' | 'dim' | 'italic' | 'underline' | 'strike' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

/** A piece of text in one look. Its text has no control characters: `cleanText` has seen it. */
export interface Span {
  readonly text: string
  readonly styles?: readonly Style[]
}

/** One line of the screen. */
export type Line = readonly Span[]

/** A span of a text that may come from anywhere. */
export function span(text: string, ...styles: Style[]): Span {
  return styles.length > 0 ? { text, styles } : { text }
}
