import type { SessionStore } from '@nacre/core'
import { cleanOutput } from './clean-output.js'
import { keepOutput } from './keep-output.js'
import { keptEnds } from './kept-ends.js'
import type { PrivateFolder } from './private-folder.js'
import type { ShellLimits } from './shell-options.js'
import { createSpool } from './spool.js'
import { wordLeftOut } from './word-left-out.js'

/** The output of one command: its ends in memory, all of it in a file when it is long. */
export interface OutputRecord {
  add(chunk: Uint8Array): Promise<void>
  lastLine(): string
  /** What fits into so many characters. A long output goes to the store's blobs where those are files. */
  text(room: number, name: string, store?: SessionStore): Promise<string>
}

export function outputRecord(folder: PrivateFolder, { resultChars, fileBytes }: ShellLimits): OutputRecord {
  const cleaner = cleanOutput()
  const ends = keptEnds(resultChars)
  // A text has no more characters than bytes, and the notes below it take less than half of a result.
  const spool = createSpool({ folder, above: resultChars / 2, maxBytes: fileBytes })
  return {
    async add(chunk) {
      ends.add(cleaner.add(chunk))
      await spool.write(chunk)
    },
    lastLine: () => ends.lastLine(),
    async text(room, name, store) {
      ends.add(cleaner.end())
      await spool.close()
      if (ends.chars <= room) {
        await spool.remove()
        return ends.within(room, () => '')
      }
      const path = await keepOutput(spool, name, store)
      return ends.within(room, (left) => wordLeftOut(left, { path, bytes: spool.bytes, problem: spool.problem }))
    },
  }
}
