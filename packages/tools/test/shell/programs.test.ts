import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.js'
import { idsFrom, isRunning, PATIENT } from './processes.js'

const MEGABYTE = 1024 ** 2
let built: string

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), 'nacre-shell-programs-'))
  const path = (name: string) => fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url))
  // All in one file: from where it lies, no dependency could be found.
  const options = { outDir: built, noExternal: [/./], target: 'node20', silent: true, config: false as const }
  const esbuildOptions = (esbuild: { conditions?: string[] }) => {
    esbuild.conditions = ['@nacre/source']
  }
  const entry = { 'long-output': path('long-output'), leaves: path('leaves') }
  await build({ entry, ...options, format: 'esm', outExtension: () => ({ js: '.mjs' }), esbuildOptions })
})
afterAll(() => rm(built, { recursive: true, force: true }))

/** Runs one of the programs in a process of its own, to its end. */
async function run(program: string, ...parameters: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(built, `${program}.mjs`), ...parameters], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code
}

it('an output of 100 MB does not grow the memory, and is whole in a file of the session', async () => {
  const folder = await temporaryFolder()
  const bytes = 100 * MEGABYTE
  expect(await run('long-output', folder, String(bytes))).toBe(0)
  const { grown, text } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  const [, path = ''] = /The whole output is in (\S+):/.exec(text) ?? []
  expect(path).toContain(join(folder, 'store'))
  const { size, mode } = await stat(path)
  expect([size, mode & 0o777]).toEqual([bytes, 0o600])
  expect(text.length).toBeLessThanOrEqual(30_000)
  expect(grown).toBeLessThan(50 * MEGABYTE)
})

it('a program that ends without closing the shell takes its commands with it', async () => {
  const folder = await temporaryFolder()
  expect(await run('leaves', folder)).toBe(1)
  const ids = await idsFrom(join(folder, 'shell'), join(folder, 'child'))
  await vi.waitFor(() => expect(ids.filter(isRunning)).toEqual([]), PATIENT)
})
