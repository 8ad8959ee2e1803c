import type { RunOptions } from '../arguments/run-options.js'
import { EXIT, type ExitCode, hasColour, type Terminal } from '../terminal/terminal.js'
import type { Conversation } from './conversation/conversation.js'
import { keyboard } from './input/keyboard.js'
import { historyFile, promptHistory } from './input/prompt-history.js'
import { readTerminal } from './input/read-terminal.js'
import { firstPaint, loadPainter } from './paint/first-paint.js'
import { createDialogs } from './state/dialogs.js'
import { screenStore } from './state/screen-state.js'
import { span } from './text/lines.js'

/**
 * Holds a conversation on the terminal until the person ends it. The input line is there at once; what is large is
 * loaded behind it, and what is typed meanwhile waits. Rejects where no session can be opened.
 */
export async function runScreen(terminal: Terminal, options: RunOptions): Promise<ExitCode> {
  const store = screenStore()
  const dialogs = createDialogs(store)
  const ending = createEnding()
  const painted = { store, terminal, hasColour: hasColour(terminal) }
  if (options.prompt !== undefined) store.change({ queue: [options.prompt] })
  const history = promptHistory()
  let conversation: Conversation | undefined
  const press = keyboard(store, dialogs, {
    send(text) {
      history.add(text)
      if (conversation) conversation.send(text)
      else store.change({ queue: [...store.state().queue, text] })
    },
    retry: () => conversation?.retry(),
    interrupt: () => conversation?.interrupt() ?? false,
    end: ending.end,
    suggest: (line) => conversation?.suggest(line),
    prompts: () => history.prompts(),
    now: terminal.now,
  })
  const reader = readTerminal(terminal, {
    press,
    end: ending.end,
    resumed() {
      // Below what the shell has written; the painter takes back as many lines as it has painted.
      terminal.stdout.write('\n\n')
      store.print([[span('Here again.', 'dim')]])
    },
  })
  const unpaint = firstPaint(painted)
  const mountScreen = await loadPainter()
  unpaint()
  const unmount = mountScreen(painted)
  try {
    await history.load(await historyFile(terminal))
    const { createConversation } = await import('./conversation/conversation.js')
    conversation = createConversation({
      ...painted,
      options,
      dialogs,
      signal: ending.signal,
      async open(asked, needs) {
        const { openSession } = await import('../session/open-session.js')
        return openSession(terminal, asked, needs)
      },
      end: ending.end,
    })
    await Promise.race([conversation.start(), ending.ended])
    await ending.ended
    const code = conversation.isBusy ? EXIT.interrupted : EXIT.done
    store.change({ hint: 'Closing the session …', dialog: undefined })
    // Known before: whoever does not want to wait for the end goes on with it all the same.
    const { id } = conversation
    await Promise.race([conversation.close(), ending.forced])
    await history.kept()
    await unmount()
    if (id !== undefined) {
      terminal.stdout.write(`Go on with it by: nacre ${options.isOffline ? '--offline ' : ''}--resume ${id}\n`)
    }
    return code
  } finally {
    await unmount()
    reader.stop()
    if (reader.isGone()) endHungUp()
  }
}

/**
 * Ends the process by the signal that a closed terminal sends, as programs do whose terminal is gone. By another way
 * Node would first try to leave the terminal as it was, and abort where it can not.
 */
function endHungUp(): void {
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

/** How a screen comes to its end: once asked for in peace, twice at once. */
interface Ending {
  end(): void
  readonly ended: Promise<void>
  /** The person does not want to wait for what has to be closed. */
  readonly forced: Promise<undefined>
  /** Falls with the first of them. */
  readonly signal: AbortSignal
}

function createEnding(): Ending {
  const asked = new AbortController()
  const forced = new AbortController()
  return {
    end: () => (asked.signal.aborted ? forced : asked).abort(),
    ended: fallen(asked.signal),
    forced: fallen(forced.signal),
    signal: asked.signal,
  }
}

function fallen(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
}
