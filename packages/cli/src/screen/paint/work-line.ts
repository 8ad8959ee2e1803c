import type { Work } from '../state/screen-state.js'
import { type Line, span } from '../text/span.js'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** How often the sign turns. */
export const FRAME_MS = 120

/** What is being done, for how long, and how to stop it. */
export function workLine({ label, since }: Work, now: number): Line {
  const passed = Math.max(0, now - since)
  const frame = FRAMES[Math.floor(passed / FRAME_MS) % FRAMES.length] ?? ''
  return [span(`${frame} `, 'cyan'), span(label), span(` ${Math.floor(passed / 1000)}s · Esc interrupts`, 'dim')]
}
