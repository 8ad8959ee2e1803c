import { paintLine } from '../text/paint-line.js'
import { liveLines } from './live-lines.js'
import type { ScreenAppProps } from './screen-app.js'
import { sizeOf } from './size-of.js'

/** Paints the input line with what is at hand, before anything large is loaded; gives the way to take it back. */
export function firstPaint({ store, terminal, hasColour }: ScreenAppProps): () => void {
  const { stdout } = terminal
  // The terminal may have shown what was typed before the program was there.
  let back = '\r\u001b[J'
  const paint = () => {
    const { lines, cursor } = liveLines(store.state(), { ...sizeOf(stdout), now: terminal.now() })
    const up = lines.length - 1 - cursor.y
    stdout.write(
      `${back}${lines.map((line) => paintLine(line, hasColour)).join('\n')}${up > 0 ? `\u001b[${up}A` : ''}\r${forward(cursor.x)}`,
    )
    back = erasing(lines.length, cursor.y)
  }
  paint()
  const stop = store.subscribe(paint)
  return () => {
    stop()
    stdout.write(back)
  }
}

/** Line by line: some terminals keep a screen that is cleared from its very top in their scrollback. */
function erasing(count: number, row: number): string {
  const up = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : '')
  return `${up(row)}\r${Array.from({ length: count }, () => '\u001b[2K').join('\u001b[1B')}${up(count - 1)}`
}

function forward(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : ''
}
