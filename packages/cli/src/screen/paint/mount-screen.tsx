import { render, Static, Text, useCursor } from 'ink'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { sizeOf, type Terminal } from '../../terminal/terminal.js'
import type { Printed, ScreenStore } from '../state/screen-state.js'
import { cursorUp, lineWidth, paintLine } from '../text/lines.js'
import { FRAME_MS, liveLines, type Placed } from './live-lines.js'

export interface ScreenAppProps {
  readonly store: ScreenStore
  readonly terminal: Terminal
  readonly hasColour: boolean
  /** Hears of each frame. */
  onPaint?(placed: Placed): void
}

/** Hands the terminal over to Ink; gives the way to take it back, which leaves the finished output on the screen. */
export function mountScreen(props: ScreenAppProps): () => Promise<void> {
  const { stdin, stdout, stderr } = props.terminal
  let painted: Placed | undefined
  // Before Ink, which listens too.
  const stopClearing = clearOnResize(stdout, () => painted)
  const onPaint = (placed: Placed) => {
    painted = placed
  }
  const { rerender, unmount, waitUntilExit } = render(<ScreenApp {...props} onPaint={onPaint} />, {
    stdin,
    stdout,
    stderr,
    exitOnCtrlC: false,
    // What libraries print would be printed into the middle of the screen.
    patchConsole: true,
  })
  return async () => {
    props.store.change({ isOver: true })
    // Painted at once, and not when React finds the time.
    rerender(<ScreenApp {...props} />)
    stopClearing()
    unmount()
    await waitUntilExit()
  }
}

/** How often the clock of the cache is read while nothing else happens. */
const IDLE_MS = 15_000

/** The screen: finished output that is written once, and below it what still changes. */
function ScreenApp({ store, terminal, hasColour, onPaint }: ScreenAppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.state)
  const size = useSize(terminal.stdout)
  const now = useNow(terminal, state.live.work ? FRAME_MS : IDLE_MS)
  const placed = liveLines(state, { ...size, now })
  const { lines, cursor } = placed
  useEffect(() => onPaint?.(placed))
  const { setCursorPosition } = useCursor()
  setCursorPosition(state.isOver ? undefined : cursor)
  return (
    <>
      <Static items={[...state.printed]}>
        {(item) => <PrintedText key={item.id} item={item} hasColour={hasColour} />}
      </Static>
      {state.isOver ? null : <Text>{lines.map((line) => paintLine(line, hasColour)).join('\n')}</Text>}
    </>
  )
}

function useNow(terminal: Terminal, every: number): number {
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), every)
    return () => clearInterval(timer)
  }, [every])
  return terminal.now()
}

interface PrintedTextProps {
  readonly item: Printed
  readonly hasColour: boolean
}

/** One piece of finished output. */
function PrintedText({ item: { lines = [], text }, hasColour }: PrintedTextProps): ReactNode {
  // An empty text would take no line at all.
  return <Text>{text ?? (lines.map((line) => paintLine(line, hasColour)).join('\n') || ' ')}</Text>
}

/** The size of the terminal, as it is now. */
function useSize(stdout: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  const [size, setSize] = useState(() => sizeOf(stdout))
  useEffect(() => {
    const measure = () => setSize(sizeOf(stdout))
    stdout.on('resize', measure)
    return () => {
      stdout.off('resize', measure)
    }
  }, [stdout])
  return size
}

/**
 * A terminal that becomes narrower breaks the lines that stand on it, so that they take more rows than Ink believes.
 * Clears all of them before Ink hears of it, and leaves the cursor where Ink looks for it. Gives the way to stop.
 */
function clearOnResize(stdout: NodeJS.WriteStream, painted: () => Placed | undefined): () => void {
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
  return `${cursorUp(up)}\r\u001b[J${'\n'.repeat(down)}${cursorUp(down - cursor.y)}`
}
