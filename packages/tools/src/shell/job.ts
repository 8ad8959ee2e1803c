import { EventEmitter, once } from 'node:events'
import { type JobReader, jobReader } from './job-reader.js'
import { drained, pump } from './pump.js'
import type { ShellTime } from './shell-options.js'
import { jobId } from './shell-state.js'
import type { Spool } from './spool.js'
import type { ProcessEnd, ShellProcess } from './start-process.js'
import { wordEnd, wordTime } from './word-end.js'

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

export interface JobParts extends Pick<Job, 'number' | 'command' | 'spool'> {
  readonly process: ShellProcess
  readonly time: ShellTime
}

export function createJob({ number, command, spool, process, time }: JobParts): Job {
  const id = jobId(number)
  const reader = jobReader(spool)
  const events = new EventEmitter()
  const start = time.now()
  let end: (ProcessEnd & { readonly at: number }) | undefined
  let killer: string | undefined
  const pumped = pump(process.output, async (chunk) => {
    await spool.write(chunk)
    events.emit('change')
  })
  const over = process.ended.then(async (how) => {
    await drained(pumped, time)
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
      if (!end) return `${id} is running, for ${wordTime(time.now() - start)} so far.`
      const how = killer !== undefined ? `was ended by ${killer}` : `has ended: ${wordEnd(end)}`
      const left = process.left()
      const rest = left.length > 0 ? ` It has left running: ${left.join('; ')}.` : ''
      return `${id} ${how}, after ${wordTime(end.at - start)}.${rest}`
    },
    async kill(by) {
      killer = by
      await process.end('all')
      await drained(over, time)
      process.release()
    },
  }
}
