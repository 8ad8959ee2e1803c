import type { SlashContext } from '../../slash/slash-command.js'
import { editorWith } from '../input/editor.js'
import type { Suggestions } from '../input/suggestions.js'
import { errorLines } from '../show/error-lines.js'
import { promptLines } from '../show/prompt-lines.js'
import type { ConversationParts } from './conversation-parts.js'
import { runCommand } from './run-command.js'
import { runQuery } from './run-query.js'
import { type Seat, takeSeat } from './seat.js'
import { suggest } from './suggest.js'

/** A person's conversation with sessions, one after the other; what is said while it works waits its turn. */
export interface Conversation {
  /** Opens the session; rejects where there can be none. */
  start(): Promise<void>
  send(text: string): void
  /** Works on what an error or an interruption has left unanswered. */
  retry(): void
  /** Whether there was something to stop. */
  interrupt(): boolean
  suggest(line: string): Suggestions | undefined
  close(): Promise<void>
  readonly isBusy: boolean
  /** The id of the session, where something was said in it. */
  readonly id: string | undefined
}

export function createConversation(parts: ConversationParts): Conversation {
  const { store, terminal } = parts
  const width = () => terminal.stdout.columns || 80
  let seat: Seat | undefined
  let running: AbortController | undefined
  let isUnanswered = false
  let isOver = false

  const context = (signal: AbortSignal): SlashContext | undefined =>
    seat && { opened: seat.opened, width: width(), hasColour: parts.hasColour, signal }

  const work = async (label: string, job: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController()
    running = controller
    store.live({ work: { label, since: terminal.now() } })
    await job(controller.signal).catch((error: unknown) => store.print(errorLines(error, width())))
    running = undefined
    store.live({ work: undefined, answer: [], calls: [] })
    // What waited was meant for work that went on: the person decides anew.
    if (controller.signal.aborted) takeBack(parts)
    // Only now: what asks for the end is not cut off by it.
    if (isOver) parts.end()
    else pump()
  }
  const query = (prompt?: string) =>
    work('Working', async (signal) => {
      if (seat) isUnanswered = await runQuery(seat, prompt, signal, parts)
    })
  const command = (line: string) =>
    work(line, async (signal) => {
      const now = context(signal)
      if (!seat || !now) return
      const next = await seat.commanded(() => runCommand(line, now, parts))
      isOver = next === 'end'
      if (next && next !== 'end') seat = await takeSeat(parts, next, seat)
      seat?.refresh()
    })
  const pump = () => {
    const [next, ...rest] = store.state().queue
    if (next === undefined || running || !seat) return
    store.change({ queue: rest })
    store.print(promptLines(next, width()))
    void (isCommand(next) ? command(next) : query(next))
  }
  return {
    async start() {
      seat = await takeSeat(parts, parts.options)
      pump()
    },
    send(text) {
      store.change({ queue: [...store.state().queue, text] })
      pump()
    },
    retry() {
      if (isUnanswered && seat && !running) void query()
    },
    interrupt() {
      running?.abort()
      return running !== undefined
    },
    suggest(line) {
      const now = context(parts.signal)
      return now && suggest(line, now)
    },
    async close() {
      running?.abort()
      await seat?.close()
    },
    get isBusy() {
      return running !== undefined
    },
    get id() {
      return seat?.id()
    },
  }
}

/** `/etc/hosts` is no command. */
function isCommand(text: string): boolean {
  return /^\/[\w-]+(\s|$)/.test(text)
}

function takeBack({ store }: ConversationParts): void {
  const { queue, editor } = store.state()
  if (queue.length === 0) return
  store.change({ queue: [], editor: editorWith([...queue, editor.text].filter((text) => text !== '').join('\n')) })
}
