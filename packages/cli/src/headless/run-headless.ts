import { type Block, isNacreError, NacreError, type SessionEvent } from '@nacre/core'
import type { RunOptions } from '../arguments/run-options.js'
import { openSession } from '../session/open-session.js'
import type { OpenedSession } from '../session/opened-session.js'
import { plainText } from '../terminal/clean-text.js'
import { exitCodeOf } from '../terminal/error-exit-code.js'
import { EXIT, type ExitCode, type Terminal } from '../terminal/terminal.js'
import { queryWithAgents } from './agents.js'
import { createOutput, type ScriptOutput } from './output.js'
import { readMessages, textPrompt } from './read-prompts.js'
import { type Denier, denyCalls, failedResult, startTally, type Tally, usageSince } from './tally.js'

type Prompt = string | readonly Block[]
type Prompts = Iterable<Prompt> | AsyncIterable<Prompt>

/** How far the prompts have come. */
interface Asked {
  queries: number
  exitCode: ExitCode
}

interface Run {
  readonly terminal: Terminal
  readonly output: ScriptOutput
  readonly denier: Denier
  readonly controller: AbortController
  isOpen: boolean
  tally?: Tally
}

/** Answers what it is asked without a person: `nacre -p`. */
export async function runHeadless(terminal: Terminal, options: RunOptions): Promise<ExitCode> {
  // A signal before there is anything to keep ends the process as it would any other.
  const prompts = options.input === 'text' ? [await textPrompt(terminal, options.print ?? true)] : undefined
  const controller = new AbortController()
  const reader = watchReader(terminal.stdout, controller)
  const output = createOutput(options.output, terminal)
  const run: Run = { terminal, output, denier: denyCalls(terminal), controller, isOpen: false }
  const stopListening = stopOnInterrupt(controller, () => run.isOpen)
  try {
    const code = await openAndAnswer(run, options, prompts ?? readMessages(terminal.stdin))
    return reader.hasLeft ? EXIT.done : code
  } finally {
    stopListening()
  }
}

async function openAndAnswer(run: Run, options: RunOptions, prompts: Prompts): Promise<ExitCode> {
  const { output, denier, terminal } = run
  const needs = {
    ask: denier.ask,
    report: (error: Parameters<ScriptOutput['reported']>[0]) => {
      run.tally?.reported(error)
      output.reported(error)
    },
  }
  const opened = await openSession(terminal, options, needs).catch((error: unknown) => ({ error }))
  if ('error' in opened) {
    const exitCode = exitCodeOf(opened.error)
    const result = failedResult(opened.error, exitCode)
    output.answered(() => result)
    output.ended({ session: null, queries: 0, usage: result.usage, exitCode })
    return exitCode
  }
  run.isOpen = true
  return answerAll(run, opened, prompts)
}

/** One query for each prompt. The code is that of the last one that was not done. */
async function answerAll(run: Run, opened: OpenedSession, prompts: Prompts): Promise<ExitCode> {
  const { output, controller } = run
  const { session } = opened
  const before = session.cost()
  const asked: Asked = { queries: 0, exitCode: EXIT.done }
  output.opened(opened)
  const broken = await askAll(run, opened, prompts, asked).catch((error: unknown) => ({ error }))
  // From here on a signal ends the process at once: nothing is left to be stopped.
  controller.abort()
  const isClosed = await closeSession(run, opened)
  const { queries } = asked
  const ended = asked.exitCode === EXIT.done && !isClosed ? EXIT.failed : asked.exitCode
  const exitCode = broken ? EXIT.usage : ended
  output.ended({ session: session.id, queries, usage: usageSince(before, session.cost()), exitCode })
  if (broken) throw broken.error
  return exitCode
}

/** An answer is given also where its session can not be closed: it was paid for. */
async function closeSession({ output, tally }: Run, opened: OpenedSession): Promise<boolean> {
  try {
    await opened.close()
    return true
  } catch (error) {
    const known = isNacreError(error)
      ? error
      : new NacreError('STORE_UNWRITABLE', `The session could not be closed: ${(error as Error).message}`)
    tally?.reported(known)
    output.reported(known)
    return false
  }
}

async function askAll(run: Run, opened: OpenedSession, prompts: Prompts, asked: Asked): Promise<void> {
  const { terminal, controller } = run
  const leave = () => terminal.stdin.destroy()
  controller.signal.addEventListener('abort', leave, { once: true })
  for await (const prompt of prompts) {
    if (controller.signal.aborted) break
    asked.queries += 1
    const code = await answer(run, opened, prompt)
    if (code !== EXIT.done) asked.exitCode = code
  }
  controller.signal.removeEventListener('abort', leave)
  if (controller.signal.aborted) asked.exitCode = EXIT.interrupted
}

async function answer(run: Run, opened: OpenedSession, prompt: Prompt): Promise<ExitCode> {
  const { output, denier, terminal, controller } = run
  const tally = startTally(opened, denier, terminal.now)
  run.tally = tally
  const tell = (event: SessionEvent) => {
    tally.event(event)
    output.event(event)
  }
  const { left } = await queryWithAgents(opened, prompt, { signal: controller.signal, now: terminal.now }, tell)
  output.answered(tally.result)
  if (left !== undefined) terminal.stderr.write(`nacre: ${plainText(left)}\n`)
  return tally.result().exitCode as ExitCode
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first signal stops what runs, so that the session is kept; the second ends the process, and so does the first
 * where nothing could be kept yet. Gives the way to stop listening.
 */
function stopOnInterrupt(controller: AbortController, isOpen: () => boolean): () => void {
  const stop = () => {
    if (controller.signal.aborted || !isOpen()) process.exit(EXIT.interrupted)
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/** Whoever reads what the program writes. */
interface Reader {
  /** Whether they have gone, as `head` does when it has what it wants. */
  readonly hasLeft: boolean
}

/** Watches a stream: when its reader leaves, the run is stopped, and nothing is said about it. */
function watchReader(stdout: Pick<NodeJS.WriteStream, 'on'>, controller: AbortController): Reader {
  const reader = { hasLeft: false }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // All else ends the program, where it is watched.
    if (error.code !== 'EPIPE') return
    reader.hasLeft = true
    controller.abort()
  })
  return reader
}
