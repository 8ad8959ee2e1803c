import { Text } from 'ink'
import type { ReactNode } from 'react'
import type { Printed } from '../state/screen-state.js'
import { paintLine } from '../text/paint-line.js'

export interface PrintedTextProps {
  readonly item: Printed
  readonly hasColour: boolean
}

/** One piece of finished output. */
export function PrintedText({ item: { lines = [], text }, hasColour }: PrintedTextProps): ReactNode {
  // An empty text would take no line at all.
  return <Text>{text ?? (lines.map((line) => paintLine(line, hasColour)).join('\n') || ' ')}</Text>
}
