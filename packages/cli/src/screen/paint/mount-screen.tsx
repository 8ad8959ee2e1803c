import { render } from 'ink'
import { clearOnResize } from './clear-on-resize.js'
import type { Placed } from './editor-lines.js'
import { ScreenApp, type ScreenAppProps } from './screen-app.js'

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
