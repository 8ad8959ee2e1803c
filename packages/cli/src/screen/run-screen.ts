import type { RunOptions } from '../arguments/run-options.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { OpenNeeds } from '../session/open-needs.js'
import type { OpenedSession } from '../session/opened-session.js'
import type { Terminal } from '../terminal.js'
import type { Conversation } from './conversation/conversation.js'
import type { ConversationParts } from './conversation/conversation-parts.js'
import { createDialogs } from './dialog/dialogs.js'
import { endHungUp } from './end-hung-up.js'
import { historyFile } from './input/history-file.js'
import { keyboard } from './input/keyboard.js'
import { promptHistory } from './input/prompt-history.js'
import { readTerminal } from './input/read-terminal.js'
import { firstPaint } from './paint/first-paint.js'
import { hasColour } from './paint/has-colour.js'
import { loadPainter } from './paint/load-painter.js'
import { createEnding } from './state/ending.js'
import { screenStore } from './state/screen-store.js'
import { span } from './text/span.js'

/** Opens the session of a screen; tests give their own. */
export type OpenScreenSession = (terminal: Terminal, options: RunOptions, needs: OpenNeeds) => Promise<OpenedSession>

/**
 * Holds a conversation on the terminal until the person ends it. The input line is there at once; what is large is
 * loaded behind it, and what is typed meanwhile waits. Rejects where no session can be opened.
 */
export async function runScreen(
  terminal: Terminal,
  options: RunOptions,
  open: OpenScreenSession = openLater,
): Promise<ExitCode> {
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
    conversation = await loadConversation({
      ...painted,
      options,
      dialogs,
      signal: ending.signal,
      open: (asked, needs) => open(terminal, asked, needs),
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

async function loadConversation(parts: ConversationParts): Promise<Conversation> {
  const { createConversation } = await import('./conversation/conversation.js')
  return createConversation(parts)
}

const openLater: OpenScreenSession = async (terminal, options, needs) => {
  const { openSession } = await import('../session/open-session.js')
  return openSession(terminal, options, needs)
}
