import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A data folder that goes away with the test. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'nacre-store-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}
