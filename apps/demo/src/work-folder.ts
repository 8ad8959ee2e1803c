import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a folder and has all temporary files go there, those of the tools and of other processes too. It is removed
 * with the process, also where that is interrupted.
 */
export function workFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-demo-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    } catch {
      // A command that is just ending may still hold a file; the system clears what is left.
    }
  })
}
