import type { Terminal } from '../../terminal.js'

const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'
/** How long a signal may take until it stops the process. */
const STOPPED_MS = 50

/** A terminal that gives every key as it is pressed. */
export interface HeldTerminal {
  /** Gives the terminal back to the shell until the person lets the program go on. */
  suspend(): void
  release(): void
}

/** Takes the terminal, and takes it again whenever the process was stopped: a shell sets it to its own ways. */
export function holdTerminal({ stdin, stdout }: Pick<Terminal, 'stdin' | 'stdout'>, resumed: () => void): HeldTerminal {
  const take = () => {
    // What is set already would not be set again.
    stdin.setRawMode?.(false)
    stdin.setRawMode?.(true)
    stdout.write(PASTE_ON)
  }
  const giveBack = () => {
    stdin.setRawMode?.(false)
    stdout.write(PASTE_OFF)
  }
  const goOn = () => {
    take()
    resumed()
  }
  take()
  process.on('SIGCONT', goOn)
  return {
    suspend() {
      if (process.platform === 'win32') return
      giveBack()
      // All of the job, also what has started this process.
      process.kill(0, 'SIGTSTP')
      // Where no shell is there to let it go on, the system does not stop it either.
      setTimeout(take, STOPPED_MS).unref()
    },
    release() {
      process.off('SIGCONT', goOn)
      giveBack()
    },
  }
}
