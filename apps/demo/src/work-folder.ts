import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TRIES = 20
const PAUSE = 25

/**
 * Makes a folder and has all temporary files go there, those of the tools and of other processes too. It is removed
 * with the process, also where that is interrupted.
 */
export function workFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-demo-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  process.once('exit', () => {
    // Writes that were under way go on behind the end of the program, and may bring back what is gone already.
    for (let left = TRIES; left > 0 && existsSync(folder); left--) {
      remove(folder)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  })
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A command that is just ending may still hold a file; the next try may be luckier.
  }
}
