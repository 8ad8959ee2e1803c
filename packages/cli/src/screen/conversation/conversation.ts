import type { SessionEvent } from '@nacre/core'
import type { RunOptions } from '../../arguments/run-options.js'
import type { OpenedSession } from '../../session/opened-session.js'
import type { SlashContext, SlashOutput } from '../../slash/slash-command.js'
import { completeSlashCommand, runSlashCommand } from '../../slash/slash-commands.js'
import { sizeOf } from '../../terminal/terminal.js'
import { editorWith } from '../state/editor.js'
import type { Suggestions } from '../state/screen-state.js'
import { plainLines } from '../text/lines.js'
import { type ActiveSession, activateSession, type ConversationContext } from './active-session.js'
import { endLines, errorLines, promptLines } from './message-lines.js'
import { isToAgent, sendToAgent, suggestAgents } from './show-agents.js'

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

export function createConversation(context: ConversationContext): Conversation {
  const { store, terminal } = context
  const width = () => sizeOf(terminal.stdout).columns
  let active: ActiveSession | undefined
  let isUnanswered = false
  let isOver = false
  const asides = createAsides((output) => printOutput(output, context))

  const slashContext = (signal: AbortSignal): SlashContext | undefined =>
    active && { opened: active.opened, width: width(), hasColour: context.hasColour, signal }

  const worker = createWorker(context, () => {
    // Only now: what asks for the end is not cut off by it.
    if (isOver) context.end()
    else pump()
  })
  const work = worker.run
  const query = (prompt?: string) =>
    work('Working', async (signal) => {
      if (active) isUnanswered = await runQuery(active, prompt, signal, context)
    })
  const command = (line: string) =>
    work(line, async (signal) => {
      const now = slashContext(signal)
      if (!active || !now) return
      const next = await active.commanded(() => runCommand(line, now, context, asides))
      isOver = next === 'end'
      if (next && next !== 'end') active = await asides.stop().then(() => activate(next, active))
      active?.refresh()
    })
  const begin = (text: string, { opened }: ActiveSession) => {
    if (isCommand(text)) return command(text)
    return isToAgent(opened, text) ? work('Sending', () => tellAgent(opened, text, context)) : query(text)
  }
  const pump = () => {
    const [next, ...rest] = store.state().queue
    if (next === undefined) return goOn()
    if (worker.isBusy() || !active) return
    store.change({ queue: rest })
    store.print(promptLines(next, width()))
    void begin(next, active)
  }
  /** Works on what agents have left and others have written, as soon as nothing else goes on. */
  const goOn = () => {
    const isFree = !worker.isBusy() && !isOver && !isUnanswered && !store.state().dialog
    if (isFree && active?.opened.session.isSteered()) void query()
  }
  const activate = (options: RunOptions, before?: ActiveSession) =>
    activateSession({ ...context, woken: goOn }, options, before)
  return {
    async start() {
      active = await activate(context.options)
      pump()
    },
    send(text) {
      store.change({ queue: [...store.state().queue, text] })
      pump()
    },
    retry() {
      if (isUnanswered && active && !worker.isBusy()) void query()
    },
    interrupt: worker.interrupt,
    suggest(line) {
      const now = slashContext(context.signal)
      return now && suggest(line, now)
    },
    async close() {
      worker.interrupt()
      await asides.stop()
      await active?.close()
    },
    get isBusy() {
      return worker.isBusy()
    },
    get id() {
      return active?.id()
    },
  }
}

/** One piece of work after the other, in front of the person. */
interface Worker {
  run(label: string, job: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Whether there was something to stop. */
  interrupt(): boolean
  isBusy(): boolean
}

/** `idle` is called whenever a piece of work is over. */
function createWorker(context: ConversationContext, idle: () => void): Worker {
  const { store, terminal } = context
  let running: AbortController | undefined
  return {
    async run(label, job) {
      const controller = new AbortController()
      running = controller
      store.live({ work: { label, since: terminal.now() } })
      const failed = (error: unknown) => store.print(errorLines(error, sizeOf(terminal.stdout).columns))
      await job(controller.signal).catch(failed)
      running = undefined
      store.live({ work: undefined, answer: [], calls: [] })
      // What waited was meant for work that went on: the person decides anew.
      if (controller.signal.aborted) takeBack(context)
      idle()
    },
    interrupt() {
      running?.abort()
      return running !== undefined
    },
    isBusy: () => running !== undefined,
  }
}

/** `/etc/hosts` is no command. */
function isCommand(text: string): boolean {
  return /^\/[\w-]+(\s|$)/.test(text)
}

async function tellAgent(opened: OpenedSession, line: string, { store, terminal }: ConversationContext): Promise<void> {
  const said = await sendToAgent(opened, line)
  if (said !== undefined) store.print(plainLines(said, sizeOf(terminal.stdout).columns - 1, 'dim'))
}

function takeBack({ store }: ConversationContext): void {
  const { queue, editor } = store.state()
  if (queue.length === 0) return
  store.change({ queue: [], editor: editorWith([...queue, editor.text].filter((text) => text !== '').join('\n')) })
}

/** Works on a prompt to its end; gives whether something is left unanswered. What the session tells is shown elsewhere. */
async function runQuery(
  { opened }: ActiveSession,
  prompt: string | undefined,
  signal: AbortSignal,
  { store, terminal }: ConversationContext,
): Promise<boolean> {
  let end: Extract<SessionEvent, { readonly type: 'end' }> | undefined
  for await (const event of opened.session.query(prompt, { signal })) if (event.type === 'end') end = event
  if (!end) return false
  const lines = endLines(end, sizeOf(terminal.stdout).columns)
  if (lines.length > 0) store.print(lines)
  return end.reason === 'error' || end.reason === 'aborted'
}

/** Runs a slash command and prints what it says; gives what is to come next: another session, or the end. */
async function runCommand(
  line: string,
  context: SlashContext,
  conversation: ConversationContext,
  asides: Asides,
): Promise<RunOptions | 'end' | undefined> {
  const output = await runSlashCommand(line, context)
  const { next, later } = output
  printOutput(output, conversation)
  if (later) asides.add(later)
  if (!next) return undefined
  if ('exit' in next) return 'end'
  return { ...conversation.options, open: { kind: 'resume', text: next.open.resume, fork: false } }
}

function printOutput({ text }: SlashOutput, { store }: ConversationContext): void {
  if (text !== '') store.print(text)
}

/** Work of commands that goes on while the conversation does, such as a dream. */
interface Asides {
  add(work: NonNullable<SlashOutput['later']>): void
  /** Ends what still runs; its last words are said. */
  stop(): Promise<void>
}

function createAsides(say: (output: SlashOutput) => void): Asides {
  const running = new Map<NonNullable<SlashOutput['later']>, Promise<void>>()
  return {
    add(work) {
      const failed = (error: unknown): SlashOutput => ({ text: error instanceof Error ? error.message : String(error) })
      const told = work.done.catch(failed).then((output) => {
        running.delete(work)
        say(output)
      })
      running.set(work, told)
    },
    async stop() {
      for (const work of running.keys()) work.stop()
      await Promise.all(running.values())
    },
  }
}

/** What a line may become, first itself where it is a command already; nothing where it can become nothing else. */
function suggest(line: string, context: SlashContext): Suggestions | undefined {
  if (line.startsWith('@')) return suggestAgents(line, context.opened)
  // A path or a text of several lines is no command.
  if (!/^\/[\w-]*( [^\n]*)?$/.test(line)) return undefined
  const items = completeSlashCommand(line, context)
  const isComplete = items.every((item) => item.line === line.trimEnd())
  return isComplete ? undefined : { items, at: 0 }
}
