import { Static, Text, useCursor } from 'ink'
import type { ReactNode } from 'react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Terminal } from '../../terminal.js'
import type { ScreenStore } from '../state/screen-store.js'
import { paintLine } from '../text/paint-line.js'
import type { Placed } from './editor-lines.js'
import { liveLines } from './live-lines.js'
import { PrintedText } from './printed-text.js'
import { useSurface } from './use-surface.js'
import { FRAME_MS } from './work-line.js'

export interface ScreenAppProps {
  readonly store: ScreenStore
  readonly terminal: Terminal
  readonly hasColour: boolean
  /** Hears of each frame. */
  onPaint?(placed: Placed): void
}

/** How often the clock of the cache is read while nothing else happens. */
const IDLE_MS = 15_000

/** The screen: finished output that is written once, and below it what still changes. */
export function ScreenApp({ store, terminal, hasColour, onPaint }: ScreenAppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.state)
  const size = useSurface(terminal.stdout)
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
