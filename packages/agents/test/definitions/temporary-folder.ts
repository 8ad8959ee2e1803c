import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that is gone after the test. Its path has no links in it. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nacre-agents-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a file and the folders above it, and gives its path. */
export async function put(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return path
}
