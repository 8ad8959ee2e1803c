import { lineWidth } from '../text/line-width.js'
import type { Placed } from './editor-lines.js'

/**
 * A terminal that becomes narrower breaks the lines that stand on it, so that they take more rows than Ink believes.
 * Clears all of them before Ink hears of it, and leaves the cursor where Ink looks for it. Gives the way to stop.
 */
export function clearOnResize(stdout: NodeJS.WriteStream, painted: () => Placed | undefined): () => void {
  let before = stdout.columns
  const clear = () => {
    const { columns } = stdout
    const last = painted()
    if (last && columns < before) stdout.write(clearing(last, columns))
    before = columns
  }
  stdout.on('resize', clear)
  return () => stdout.off('resize', clear)
}

function clearing({ lines, cursor }: Placed, columns: number): string {
  const rows = (width: number) => Math.max(1, Math.ceil(width / columns))
  const above = lines.slice(0, cursor.y).reduce((sum, line) => sum + rows(lineWidth(line)), 0)
  const up = above + Math.floor(cursor.x / columns)
  const down = lines.length
  return `${upBy(up)}\r\u001b[J${'\n'.repeat(down)}${upBy(down - cursor.y)}`
}

function upBy(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : ''
}
