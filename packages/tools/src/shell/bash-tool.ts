import type { ToolContext, ToolResult } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool, textOf, textResult } from '../define-tool.js'
import type { Access } from '../sandbox/sandbox.js'
import { type ShellContext, startBackground } from './background.js'
import { firstLine, formatEnd, formatTime, visibleText } from './format.js'
import { type OutputRecord, outputRecord } from './output-record.js'
import type { ShellTime } from './shell-options.js'
import { drained, type ProcessEnd, pump, type ShellProcess } from './start-process.js'

export interface BashInput {
  readonly command: string
  readonly timeout?: number | undefined
  readonly run_in_background?: boolean | undefined
  readonly description?: string | undefined
  /** What it may do, where commands run in a sandbox. */
  readonly access?: Access | undefined
  /** Why it needs more, for the person who is asked. */
  readonly reason?: string | undefined
}

/** Runs shell commands, in the foreground or in the background. */
export function bashTool(shell: ShellContext): ShownTool<BashInput> {
  const { limits, isReadOnlyCommand, cages } = shell
  const isReadOnly = ({ command, access }: BashInput) => isReadOnlyCommand(command, access)
  // Beside others a change of folder would depend on who ends last.
  const isConcurrencySafe = (input: BashInput) =>
    isReadOnly(input) && !input.run_in_background && !/\b(?:cd|pushd|popd)\b/.test(input.command)
  return defineTool({
    name: 'Bash',
    description: describeBash(limits.timeout, limits.maxTimeout, cages.isCaged()),
    input: cages.isCaged() ? cagedInput(limits.maxTimeout) : bashInput(limits.maxTimeout),
    traits: { isReadOnly, isConcurrencySafe, isCompactable: true, isCommand: true, maxResultChars: limits.resultChars },
    check: (input) =>
      isReadOnly(input) ? undefined : { verdict: 'ask', reason: `Run in the shell: ${visibleText(input.command)}` },
    run(input, context) {
      context.signal.throwIfAborted()
      if (process.platform === 'win32') throw new Error('Bash does not run on Windows itself: use WSL.')
      const { command, timeout = limits.timeout, run_in_background: isBackground } = input
      if (isBackground) return startBackground(shell, command, context)
      return runForeground(shell, { command, timeout, mayMove: !isConcurrencySafe(input) }, context)
    },
    title: ({ command, description }) => visibleText(firstLine(description || `$ ${command}`)),
    show: (_input, result) => shownOutput(result),
  })
}

function describeBash(timeout: number, maxTimeout: number, isCaged: boolean): string {
  const where = isCaged ? `\n${SANDBOXED}` : ''
  return `Runs a command in the shell and gives what it writes, stdout and stderr together, and its exit code where that is not 0.
- The working folder is kept from call to call; variables, functions and aliases are not.
- There is no terminal and no input: what asks questions or opens an editor fails. Pass answers as flags.
- Times are in milliseconds: ${timeout} unless told, at most ${maxTimeout}. Then all processes of the command are ended.
- What a command leaves running with & is ended with it. Use run_in_background for servers and long work, then BashOutput and KillBash.
- Of a long output the beginning and the end are given; the whole is in a file that is named. Colour codes are taken out.
- To read, edit and search files, prefer Read, Edit, Grep and Glob where you have them.${where}`
}

const SANDBOXED = `- It runs in a sandbox, by what \`access\` says. "read", unless told: nothing but /tmp and caches can be changed, and there is no network. "write": files in the workspace can be changed, and hosts reached that the person allows. "outside": without the sandbox, about which the person is asked. Ask for more only for what needs it, and say why in \`reason\`.
- In the sandbox places that hold keys are not there, .env files look empty, and variables with keys are left out. What it refused stands below the output.`

function cagedInput(maxTimeout: number) {
  return bashInput(maxTimeout).extend({
    access: z.enum(['read', 'write', 'outside']).optional().describe('What it may do; "read" unless told.'),
    reason: z
      .string()
      .optional()
      .describe('Why it needs more than to read, in a sentence for the person who is asked.'),
  })
}

function bashInput(maxTimeout: number) {
  return z.object({
    command: z
      .string()
      .min(1)
      .refine((command) => !command.includes('\0'), 'A command can not have the character NUL in it.')
      .describe('The command to run.'),
    timeout: z
      .number()
      .int()
      .min(1)
      .max(maxTimeout)
      .optional()
      .describe('Milliseconds until it is ended. Not for the background.'),
    run_in_background: z.boolean().optional().describe('Give an id at once and let it run.'),
    description: z.string().optional().describe('What it does, in five to ten words, for the person who watches.'),
  })
}

const SHOWN_LINES = 4

/** A few lines of output, and all notes below it: the exit code is one of them. */
function shownOutput(result: ToolResult): string {
  const lines = textOf(result).split('\n')
  const end = lines.findLastIndex((line) => !/^\[.*\]$/.test(line)) + 1
  const output = lines.slice(0, end)
  const more = end - SHOWN_LINES
  const few = more > 1 ? [...output.slice(0, SHOWN_LINES), `… ${more} more lines`] : output
  return [...few, ...lines.slice(end)].join('\n')
}

/** A command that the call waits for. */
interface ForegroundCommand {
  readonly command: string
  readonly timeout: number
  /** Whether the folder it ends in is kept: not for one that may run beside others, where the last would win. */
  readonly mayMove: boolean
}

/** Runs a command to its end and gives what it wrote, with notes on what else has to be known. */
async function runForeground(shell: ShellContext, task: ForegroundCommand, context: ToolContext): Promise<ToolResult> {
  const { limits, time, folder, processes, workingFolder, cages } = shell
  const { signal, store, callId, progress } = context
  const { command, timeout, mayMove } = task
  const entered = await workingFolder.enter(context)
  const { cage, environment } = await cages.of(context, entered.folder)
  const record = outputRecord(folder, limits)
  const process = await processes.start({ command, cwd: entered.folder, cage, environment })
  const ending = await runProcess(process, { record, timeout, signal, time, progress })
  const moved = mayMove ? await workingFolder.leave(context, entered, ending.folder) : undefined
  if (ending.end?.isCageLost) await workingFolder.reset(context)
  const refused = cage ? cages.refusals(cage, { command, isFailed: ending.end?.code !== 0, output: record.ends() }) : []
  const notes = [entered.note, ...formatEnding(ending, timeout, limits.maxTimeout), ...refused, ...ending.taken, moved]
    .filter((note) => note !== undefined)
    .map((note) => `\n[${note}]`)
    .join('')
  const output = (await record.text(limits.resultChars - notes.length, `bash-${callId}.txt`, store)).trimEnd()
  const text = output === '' ? notes.slice(1) || '(no output)' : `${output}${notes}`
  return ending.end?.code === 0 && !ending.end.isCageLost ? textResult(text) : errorResult(text)
}

const NAMED = 3
const NAME_CHARS = 100

function formatEnding(ending: Ending, timeout: number, maxTimeout: number): (string | undefined)[] {
  const { stopped, end, left, goesOn } = ending
  const named = left.slice(0, NAMED).map((name) => name.slice(0, NAME_CHARS))
  const others = left.length > NAMED ? ` and ${left.length - NAMED} more` : ''
  const ended = `Ended with the command: ${named.join('; ')}${others}. Use run_in_background for what has to go on.`
  const all = goesOn ? '' : ' with all its processes'
  const longer = `A command may have a timeout of up to ${maxTimeout} ms, or run in the background.`
  return [
    stopped === 'timeout' ? `Stopped${all} after ${formatTime(timeout)}, its time limit. ${longer}` : undefined,
    stopped === 'aborted' ? `Stopped${all}: the call was aborted.` : undefined,
    end && end.code !== 0 && !end.isCageLost ? sentence(formatEnd(end)) : undefined,
    end?.isCageLost
      ? `It did not run: its sandbox could not be made or was ended. ${sentence(formatEnd(end))}`
      : undefined,
    left.length > 0 ? ended : undefined,
    goesOn ? 'Some of its processes could not be ended: they may belong to another user.' : undefined,
  ]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** How a command came to its end, by itself or not. */
interface Ending {
  readonly stopped?: 'timeout' | 'aborted'
  /** By itself. */
  readonly end?: ProcessEnd
  /** What it had left running, and was ended with it. */
  readonly left: readonly string[]
  /** Whether something could not be ended. */
  readonly goesOn: boolean
  /** What was taken away from the workspace again. */
  readonly taken: readonly string[]
  readonly folder?: string
}

interface Running {
  readonly record: OutputRecord
  readonly timeout: number
  readonly signal: AbortSignal
  readonly time: ShellTime
  progress(text: string): void
}

const PROGRESS_EVERY = 1_000
const PROGRESS_CHARS = 200

/** Waits until a command ends, its time is up or its call is aborted. Nothing of its session runs any more afterwards. */
async function runProcess(process: ShellProcess, running: Running): Promise<Ending> {
  const { record, time } = running
  const over = new AbortController()
  const pumped = pump(process.output, (chunk) => record.add(chunk))
  void tellProgress(running, over.signal)
  try {
    const first = await Promise.race([process.ended, stopOf(running, over.signal)])
    over.abort()
    const isStopped = typeof first === 'string'
    const left = isStopped ? [] : process.left()
    const isAllEnded = !isStopped && left.length === 0 ? true : await process.end(isStopped ? 'all' : 'session')
    process.letGo()
    await drained(Promise.all([pumped, process.folder]), time)
    process.release()
    await pumped
    const folder = await process.folder
    const how = isStopped ? { stopped: first } : { end: first, ...(folder && { folder }) }
    return { ...how, left, goesOn: !isAllEnded, taken: await process.after() }
  } finally {
    over.abort()
    process.release()
  }
}

/** Resolves when somebody or the clock wants an end of it; never once it is over. */
function stopOf({ timeout, signal, time }: Running, over: AbortSignal): Promise<'timeout' | 'aborted'> {
  return new Promise((resolve) => {
    Promise.resolve(time.wait(timeout, over)).then(
      () => resolve('timeout'),
      () => undefined,
    )
    signal.addEventListener('abort', () => resolve('aborted'), { once: true, signal: over })
    if (signal.aborted) resolve('aborted')
  })
}

async function tellProgress({ record, time, progress }: Running, over: AbortSignal): Promise<void> {
  const start = time.now()
  try {
    for (;;) {
      await time.wait(PROGRESS_EVERY, over)
      if (over.aborted) return
      progress(`${formatTime(time.now() - start)} ${record.lastLine().slice(-PROGRESS_CHARS)}`.trim())
    }
  } catch {
    // It is over.
  }
}
