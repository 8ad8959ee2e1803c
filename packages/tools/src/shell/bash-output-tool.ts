import type { ToolContext } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool } from '../define-tool.js'
import type { Job } from './job.js'
import { type KeptEnds, keptEnds } from './kept-ends.js'
import { type LineFilter, lineFilter } from './match-lines.js'
import { noSuchJob } from './no-such-job.js'
import type { ShellKit } from './shell-kit.js'
import type { ShellTime } from './shell-options.js'
import { wordLeftOut } from './word-left-out.js'

export interface BashOutputInput {
  readonly id: string
  readonly filter?: string | undefined
  readonly wait?: number | undefined
}

/** Gives what a command in the background has written since it was asked the last time. */
export function bashOutputTool({ limits, time, jobs }: ShellKit): ShownTool<BashOutputInput> {
  return defineTool({
    name: 'BashOutput',
    description: `Gives what a command in the background has written since the last call, and whether it still runs.
With a filter only whole lines that match are given; the others are not given again. With a wait it returns as soon as there is something to give or the command has ended.`,
    input: inputSchema(limits.maxTimeout),
    // Not safe beside others: an answer that breaks off would take what was read with it.
    traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: true, maxResultChars: limits.resultChars },
    async run({ id, filter, wait = 0 }, context) {
      const job = jobs.get(id)
      if (!job) return errorResult(noSuchJob(id, jobs, context.view))
      const ends = keptEnds(limits.resultChars)
      await readFor(job, { ends, wait, time, signal: context.signal, filter: filter ? lineFilter(filter) : undefined })
      return worded(job, ends, limits.resultChars)
    },
    title: ({ id }) => `Output of ${id}`,
  })
}

function inputSchema(maxTimeout: number) {
  return z.object({
    id: z.string().describe('The id that Bash gave for the command.'),
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

function worded(job: Job, ends: KeptEnds, room: number): string {
  const { path, bytes, problem } = job.spool
  const lost = problem === undefined ? '' : ` What it wrote after ${bytes} bytes could not be kept: ${problem}.`
  const status = `[${job.status()}${lost}]`
  const text = ends.within(room - status.length - 1, (left) =>
    wordLeftOut({ ...left, lines: 0 }, { path, bytes, problem }),
  )
  return text.trimEnd() === '' ? status : `${text.trimEnd()}\n${status}`
}
