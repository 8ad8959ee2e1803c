import { sizeOf } from '../../terminal/terminal.js'
import { cursorUp, paintLine } from '../text/lines.js'
import { liveLines } from './live-lines.js'
import type { mountScreen, ScreenAppProps } from './mount-screen.js'

/** Paints the input line with what is at hand, before anything large is loaded; gives the way to take it back. */
export function firstPaint({ store, terminal, hasColour }: ScreenAppProps): () => void {
  const { stdout } = terminal
  // The terminal may have shown what was typed before the program was there.
  let back = '\r\u001b[J'
  const paint = () => {
    const { lines, cursor } = liveLines(store.state(), { ...sizeOf(stdout), now: terminal.now() })
    stdout.write(
      `${back}${lines.map((line) => paintLine(line, hasColour)).join('\n')}${cursorUp(lines.length - 1 - cursor.y)}\r${forward(cursor.x)}`,
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
  return `${cursorUp(row)}\r${Array.from({ length: count }, () => '\u001b[2K').join('\u001b[1B')}${cursorUp(count - 1)}`
}

function forward(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : ''
}

/**
 * Loads Ink. It paints nothing where the environment looks like a build server, and looks only once; whoever sits in
 * front of a terminal there wants to see it all the same.
 */
export async function loadPainter(): Promise<typeof mountScreen> {
  const { CI } = process.env
  process.env.CI = 'false'
  try {
    return (await import('./mount-screen.js')).mountScreen
  } finally {
    if (CI === undefined) delete process.env.CI
    else process.env.CI = CI
  }
}
