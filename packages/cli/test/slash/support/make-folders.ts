import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'

export interface Folders {
  readonly home: string
  readonly cwd: string
}

/** A home and a project with six files; both end with the test, and nothing else of this machine is looked at. */
export function makeFolders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'nacre-slash-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const folders = { home: join(root, 'home'), cwd: join(root, 'project') }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  for (const part of [1, 2, 3, 4, 5, 6]) {
    const lines = Array.from({ length: 150 }, (_, line) => `export const value${line} = compute(${part}, ${line})`)
    writeFileSync(join(folders.cwd, `part-${part}.ts`), lines.join('\n'))
  }
  vi.stubEnv('HOME', folders.home)
  vi.stubEnv('NACRE_HOME', folders.home)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  return folders
}
