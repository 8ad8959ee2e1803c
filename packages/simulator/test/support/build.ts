import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the sources as they are into a folder that can see the package's dependencies; it goes with the test file. */
export async function build(): Promise<string> {
  const folder = await mkdtemp(join(packageRoot, 'node_modules', '.test-build-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const tsup = join(dirname(createRequire(import.meta.url).resolve('tsup/package.json')), 'dist/cli-default.js')
  execFileSync(process.execPath, [tsup, '--no-dts', '--out-dir', folder], { cwd: packageRoot, stdio: 'pipe' })
  return folder
}
