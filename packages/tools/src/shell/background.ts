import type { Command, ToolContext, ToolResult, View } from '@nacre/core'
import { z } from 'zod'
import { stateEntry } from '../conversation.js'
import { defineTool, errorResult, type ShownTool, textResult } from '../define-tool.js'
import type { Cages } from './cages.js'
import { firstLine, formatLeftOut } from './format.js'
import { createJob, type Job, type LineFilter, lineFilter } from './job.js'
import { type KeptEnds, keptEnds } from './kept-ends.js'
import { createSpool } from './output-record.js'
import type { ShellLimits, ShellOptions, ShellTime } from './shell-options.js'
import type { PrivateFolder, ShellProcesses } from './start-process.js'
import { jobCount, jobId, SHELL, type WorkingFolder } from './working-folder.js'

/** What the three tools share. */
export interface ShellContext {
  readonly limits: ShellLimits
  readonly time: ShellTime
  readonly folder: PrivateFolder
  readonly processes: ShellProcesses
  readonly workingFolder: WorkingFolder
  readonly jobs: Map<string, Job>
  readonly isReadOnlyCommand: NonNullable<ShellOptions['isReadOnlyCommand']>
  readonly cages: Cages
}

/** Starts a command that the call does not wait for, and gives the id to ask for it with. */
export async function startBackground(shell: ShellContext, command: string, context: ToolContext): Promise<ToolResult> {
  const { limits, time, folder, processes, workingFolder, jobs, cages } = shell
  const entered = await workingFolder.enter(context)
  const spool = createSpool({ folder, above: -1, maxBytes: limits.fileBytes })
  // Makes the file: what nobody can read later need not be started.
  await spool.write(new Uint8Array())
  if (spool.problem !== undefined) return errorResult(`Not started: its output can not be kept. ${spool.problem}`)
  const { cage, environment } = await cages.of(context, entered.folder)
  const process = await processes.start({ command, cwd: entered.folder, cage, environment })
  if (context.signal.aborted) {
    // Nobody would learn of its id.
    await process.end('all')
    process.release()
    await spool.close()
    await spool.remove()
    context.signal.throwIfAborted()
  }
  // A rewind takes the count back, but not the commands.
  const number = 1 + Math.max(jobCount(context.view), ...[...jobs.values()].map((job) => job.number))
  const job = createJob({ number, command, spool, process, time })
  jobs.set(job.id, job)
  await context.store?.append([stateEntry(SHELL, 'background', number)])
  const ports =
    cage?.kind === 'work' ? ' The person can open a port of a server in it: /ports open, with the number.' : ''
  const how = `Ask for its output with BashOutput; end it with KillBash. It ends with the session.${ports}`
  const note = entered.note ? `\n[${entered.note}]` : ''
  return textResult(`Started in the background as ${job.id}. ${how} All it writes goes to ${spool.path}.${note}`)
}

export interface BashOutputInput {
  /** Without one the commands are listed. */
  readonly id?: string | undefined
  readonly filter?: string | undefined
  readonly wait?: number | undefined
}

/** Gives what a command in the background has written since it was asked the last time. */
export function bashOutputTool({ limits, time, jobs }: ShellContext): ShownTool<BashOutputInput> {
  return defineTool({
    name: 'BashOutput',
    description: `Gives what a command in the background has written since the last call, and whether it still runs.
With a filter only whole lines that match are given; the others are not given again. With a wait it returns as soon as there is something to give or the command has ended. Without an id it lists the commands that were started and how each stands.`,
    input: outputInput(limits.maxTimeout),
    // Not safe beside others: an answer that breaks off would take what was read with it.
    traits: {
      isReadOnly: true,
      isConcurrencySafe: false,
      isCompactable: true,
      isCommand: true,
      maxResultChars: limits.resultChars,
    },
    async run({ id, filter, wait = 0 }, context) {
      if (id === undefined) return listed(jobs)
      const job = jobs.get(id)
      if (!job) return errorResult(noSuchJob(id, jobs, context.view))
      const ends = keptEnds(limits.resultChars)
      await readFor(job, { ends, wait, time, signal: context.signal, filter: filter ? lineFilter(filter) : undefined })
      return formatOutput(job, ends, limits.resultChars)
    },
    title: ({ id }) => (id === undefined ? 'List the commands in the background' : `Output of ${id}`),
  })
}

function outputInput(maxTimeout: number) {
  return z.object({
    id: z.string().optional().describe('The id that Bash gave for the command; all are listed unless told.'),
    filter: z.string().optional().describe('A regular expression (JavaScript); only lines that match are given.'),
    wait: z
      .number()
      .int()
      .min(0)
      .max(maxTimeout)
      .optional()
      .describe('Milliseconds to wait for something to give. Not at all unless told.'),
  })
}

interface Reading {
  readonly ends: KeptEnds
  readonly wait: number
  readonly time: ShellTime
  readonly signal: ToolContext['signal']
  readonly filter: LineFilter | undefined
}

async function readFor(job: Job, { ends, wait, time, signal, filter }: Reading): Promise<void> {
  const over = new AbortController()
  const stop = AbortSignal.any([signal, over.signal])
  const late = new AbortController()
  if (wait > 0)
    Promise.resolve(time.wait(wait, stop)).then(
      () => late.abort(),
      () => undefined,
    )
  else late.abort()
  const until = AbortSignal.any([stop, late.signal])
  try {
    for (;;) {
      const isOver = job.isOver()
      await job.reader.read(ends, isOver, filter)
      if (ends.chars > 0 || isOver || until.aborted) return
      await job.change(until).catch(() => undefined)
    }
  } finally {
    over.abort()
  }
}

function formatOutput(job: Job, ends: KeptEnds, room: number): string {
  const { bytes, problem } = job.spool
  const lost = problem === undefined ? '' : ` What it wrote after ${bytes} bytes could not be kept: ${problem}.`
  const status = `[${job.status()}${lost}]`
  const text = ends.within(room - status.length - 1, (left) => formatLeftOut({ ...left, lines: 0 }, job.spool))
  return text.trimEnd() === '' ? status : `${text.trimEnd()}\n${status}`
}

export interface KillBashInput {
  readonly id: string
}

/** Ends a command in the background, with all its processes. */
export function killBashTool({ jobs }: ShellContext): ShownTool<KillBashInput> {
  return defineTool({
    name: 'KillBash',
    description: 'Ends a command in the background, with all processes that it has started.',
    input: z.object({ id: z.string().describe('The id that Bash gave for the command.') }),
    traits: { isCompactable: true },
    async run({ id }, { view }) {
      const job = jobs.get(id)
      return job ? endJob(job, 'KillBash') : errorResult(noSuchJob(id, jobs, view))
    },
    title: ({ id }) => `End ${id}`,
  })
}

const HELP = 'Lists the commands in the background; `stop <id>` ends one.'

/** Lets people see what runs in the background, and end it. */
export function tasksCommand({ jobs }: ShellContext): Command {
  return {
    name: 'tasks',
    help: HELP,
    async run(args, context) {
      const words = args.trim().split(/\s+/)
      if (words[0] === '') return listed(jobs)
      const [what, id, ...rest] = words
      if (what !== 'stop' || id === undefined || rest.length > 0)
        return `'tasks ${args.trim()}' can not be read. ${HELP}`
      const job = jobs.get(id)
      return job ? endJob(job, 'the person') : noSuchJob(id, jobs, context.view())
    },
  }
}

function listed(jobs: ShellContext['jobs']): string {
  if (jobs.size === 0) return 'Nothing was started in the background.'
  return [...jobs.values()].map((job) => `${job.status()}\n  $ ${firstLine(job.command)}`).join('\n')
}

async function endJob(job: Job, by: string): Promise<string> {
  if (!job.isRunning()) return `There is nothing to end. ${job.status()}`
  await job.kill(by)
  return job.status()
}

/** Why there is nothing to be had for an id, and which ids there are. */
function noSuchJob(id: string, jobs: ReadonlyMap<string, Job>, view: View | undefined): string {
  const isFormer = Array.from({ length: jobCount(view) }, (_, index) => jobId(index + 1)).includes(id)
  const known = jobs.size > 0 ? `There are: ${[...jobs.keys()].join(', ')}.` : 'Nothing was started in the background.'
  return isFormer
    ? `The command ${id} is gone: it was started before the session was resumed or copied, and can not be reached from here. Start it again if it is needed.`
    : `There is no command ${JSON.stringify(id)} in the background. ${known}`
}
