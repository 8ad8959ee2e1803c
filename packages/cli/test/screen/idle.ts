import type { PseudoTerminal } from './pseudo-terminal.js'

/** Waits until the screen waits for the person. A frame may come in two pieces: one without a status is not whole. */
export function idle(terminal: PseudoTerminal): Promise<void> {
  const isWhole = () => /% (context )?left[^\n]*$/.test(terminal.screen())
  return terminal.until(() => isWhole() && !/Esc interrupts$/m.test(terminal.screen()), 'the end of the work')
}
