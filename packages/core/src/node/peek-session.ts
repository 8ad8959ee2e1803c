import type { Entry } from '../log/entry.js'
import { decodeBatch } from './batch-line.js'
import { withLog } from './log-bytes.js'
import { linesForwards } from './log-lines.js'
import { ignoreMissing } from './store-error.js'

/** Every whole batch that a log has at this moment, whoever is writing to it. */
export async function peekSession(path: string): Promise<readonly Entry[]> {
  const entries = await withLog(path, async ({ read, end }) => {
    const found: Entry[] = []
    for await (const { bytes, isWhole } of linesForwards(read, 0, end)) {
      const batch = isWhole ? decodeBatch(bytes, path) : undefined
      // What is still being written ends the log, as far as this reader is concerned.
      if (!batch) break
      found.push(...batch.entries)
    }
    return found
  }).catch(ignoreMissing)
  return entries ?? []
}
