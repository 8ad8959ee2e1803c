import { createReadStream } from 'node:fs'
import { cleanOutput } from './clean-output.js'
import type { KeptEnds } from './kept-ends.js'
import type { LineFilter } from './match-lines.js'
import type { Spool } from './spool.js'

/** Reads a growing file from where it has stopped the last time. */
export interface JobReader {
  hasNew(): boolean
  /** Adds what is new; with a filter, the lines that match. `isOver`: what has no line end yet will get none. */
  read(ends: KeptEnds, isOver: boolean, filter?: LineFilter): Promise<void>
}

/** A longer line is matched in parts. */
const LINE_CHARS = 65_536

export function jobReader(spool: Spool): JobReader {
  const cleaner = cleanOutput()
  let offset = 0
  let rest = ''
  let last = Promise.resolve()

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
    read(ends, isOver, filter) {
      const done = last.then(() => read(ends, isOver, filter))
      last = done.catch(() => undefined)
      return done
    },
  }
}

function matching(text: string, filter: LineFilter): string {
  const lines = text.replace(/\n$/, '').split('\n')
  return filter(lines)
    .map((line) => `${line}\n`)
    .join('')
}
