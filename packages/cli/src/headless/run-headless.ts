import { type Block, isNacreError, NacreError } from '@nacre/core'
import type { RunOptions } from '../arguments/run-options.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import { exitCodeOf } from '../session/no-model.js'
import { openSession } from '../session/open-session.js'
import type { OpenedSession } from '../session/opened-session.js'
import type { Terminal } from '../terminal.js'
import { createOutput } from './create-output.js'
import { type Denier, denyCalls } from './deny-calls.js'
import { failedResult } from './failed-result.js'
import { readMessages } from './read-messages.js'
import { watchReader } from './reader.js'
import type { ScriptOutput } from './script-output.js'
import { stopOnInterrupt } from './stop-on-interrupt.js'
import { startTally, type Tally } from './tally.js'
import { textPrompt } from './text-prompt.js'
import { NOTHING_SPENT, usageSince } from './usage-since.js'

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
    output.answered(() => failedResult(opened.error, exitCode))
    output.ended({ session: null, queries: 0, usage: { ...NOTHING_SPENT }, exitCode })
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
  const asked = { queries: 0, exitCode: EXIT.done as ExitCode }
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
  for await (const event of opened.session.query(prompt, { signal: controller.signal })) {
    tally.event(event)
    output.event(event)
  }
  output.answered(tally.result)
  return tally.result().exitCode as ExitCode
}
