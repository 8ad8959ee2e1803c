import { EventEmitter, once } from 'node:events'
import { createReadStream } from 'node:fs'
import { oneAtATime } from '../async.js'
import { limitTime } from '../limit-time.js'
import { formatEnd, formatTime } from './format.js'
import { cleanOutput, type KeptEnds } from './kept-ends.js'
import type { Spool } from './output-record.js'
import type { ShellTime } from './shell-options.js'
import { drained, type ProcessEnd, pump, type ShellProcess } from './start-process.js'
import { jobId } from './working-folder.js'

/** A command in the background. */
export interface Job {
  /** Ids are `bash_` and a number. */
  readonly number: number
  readonly id: string
  readonly command: string
  readonly spool: Spool
  readonly reader: JobReader
  /** Its shell has ended; what that has left behind may go on. */
  isOver(): boolean
  isRunning(): boolean
  /** Resolves when there is something new to read or it is over. Rejects when aborted. */
  change(signal: AbortSignal): Promise<void>
  status(): string
  /** `by`: who ends it, in words. */
  kill(by: string): Promise<void>
}

interface JobOptions extends Pick<Job, 'number' | 'command' | 'spool'> {
  readonly process: ShellProcess
  readonly time: ShellTime
}

export function createJob({ number, command, spool, process, time }: JobOptions): Job {
  const id = jobId(number)
  const reader = jobReader(spool)
  const events = new EventEmitter()
  const start = time.now()
  let end: (ProcessEnd & { readonly at: number }) | undefined
  let killer: string | undefined
  let taken: readonly string[] = []
  const pumped = pump(process.output, async (chunk) => {
    await spool.write(chunk)
    events.emit('change')
  })
  const over = process.ended.then(async (how) => {
    if (process.left().length === 0) process.letGo()
    await drained(pumped, time)
    taken = await process.after().catch(() => [])
    end = { ...how, at: time.now() }
    // What is left behind is still to be ended with the session.
    if (process.left().length === 0) process.release()
    events.emit('change')
  })
  void pumped.then(() => spool.close())
  return {
    number,
    id,
    command,
    spool,
    reader,
    isOver: () => end !== undefined,
    isRunning: () => !end || process.left().length > 0,
    async change(signal) {
      if (!end && !reader.hasNew()) await once(events, 'change', { signal })
    },
    status() {
      if (!end) return `${id} is running, for ${formatTime(time.now() - start)} so far.`
      const how = killer !== undefined ? `was ended by ${killer}` : `has ended: ${formatEnd(end)}`
      const left = process.left()
      const rest = left.length > 0 ? ` It has left running: ${left.join('; ')}.` : ''
      return [`${id} ${how}, after ${formatTime(end.at - start)}.${rest}`, ...taken].join(' ')
    },
    async kill(by) {
      killer = by
      await process.end('all')
      await drained(over, time)
      process.release()
    },
  }
}

/** Reads a growing file from where it has stopped the last time. */
interface JobReader {
  hasNew(): boolean
  /** Adds what is new; with a filter, the lines that match. `isOver`: what has no line end yet will get none. */
  read(ends: KeptEnds, isOver: boolean, filter?: LineFilter): Promise<void>
}

/** A longer line is matched in parts. */
const LINE_CHARS = 65_536

function jobReader(spool: Spool): JobReader {
  const cleaner = cleanOutput()
  let offset = 0
  let rest = ''
  const inOrder = oneAtATime()

  const take = (ends: KeptEnds, isOver: boolean, filter?: LineFilter) => {
    const end = !filter || isOver || rest.length > LINE_CHARS ? rest.length : rest.lastIndexOf('\n') + 1
    const ready = rest.slice(0, end)
    if (ready === '') return
    // Thrown by a filter, it is there for the next one.
    ends.add(filter ? matching(ready, filter) : ready)
    rest = rest.slice(end)
  }
  const read = async (ends: KeptEnds, isOver: boolean, filter?: LineFilter) => {
    if (spool.path !== undefined && offset < spool.bytes) {
      const range = { start: offset, end: spool.bytes - 1 }
      for await (const chunk of createReadStream(spool.path, range) as AsyncIterable<Uint8Array>) {
        rest += cleaner.add(chunk)
        offset += chunk.length
        take(ends, false, filter)
      }
    }
    if (isOver) rest += cleaner.end()
    take(ends, isOver, filter)
  }
  return {
    hasNew: () => offset < spool.bytes,
    read: (ends, isOver, filter) => inOrder(() => read(ends, isOver, filter)),
  }
}

function matching(text: string, filter: LineFilter): string {
  const lines = text.replace(/\n$/, '').split('\n')
  return filter(lines)
    .map((line) => `${line}\n`)
    .join('')
}

const PATIENCE = 500

/** Takes the lines that match. */
export type LineFilter = (lines: readonly string[]) => readonly string[]

/** The pattern comes from a model: one that takes for ever is stopped. Throws with a text for the model. */
export function lineFilter(source: string): LineFilter {
  const pattern = parsed(source)
  const late = () => {
    throw new Error(`The filter ${source} takes too long on this output: use a simpler one, without nested repeats.`)
  }
  return (lines) => limitTime(PATIENCE, () => lines.filter((line) => pattern.test(line)), late)
}

function parsed(source: string): RegExp {
  try {
    return new RegExp(source)
  } catch (error) {
    throw new Error(`The filter is no regular expression: ${(error as Error).message}`)
  }
}
