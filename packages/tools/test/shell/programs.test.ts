import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SetupContext } from '@nacre/core'
import { build } from 'tsup'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bashTools, shell } from '../../src/shell/shell.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { expectEnded, expectRunning, idsFrom, isRunning, PATIENT } from './processes.js'

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

describe.runIf(process.platform === 'linux')('what a killed program has left', () => {
  const start = async (folder: string) => {
    const plugin = shell({ folder })
    const { dispose } = await plugin.setup({ cwd: folder } as SetupContext)
    await dispose?.()
  }
  const leftIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('nacre-shell-'))

  it('is ended and removed by the next one, commands and folders', async () => {
    const folder = await temporaryFolder()
    await run('leaves', folder, 'killed')
    const ids = await idsFrom(join(folder, 'shell'), join(folder, 'child'))
    expectRunning(ids)
    expect(await leftIn(folder)).toHaveLength(1)
    await start(folder)
    await vi.waitFor(() => expectEnded(ids), PATIENT)
    expect(await leftIn(folder)).toEqual([])
  })

  it('is left alone while it runs, and never taken for another process of the same number', async () => {
    const folder = await temporaryFolder()
    const { bash, close } = bashTools({ folder })
    const context = { callId: 'one', cwd: folder, signal: new AbortController().signal, progress: () => undefined }
    await bash.run({ command: 'echo $$ > id; sleep 1000', run_in_background: true }, context)
    const ids = await idsFrom(join(folder, 'id'))
    await start(folder)
    expectRunning(ids)
    const [own = ''] = await leftIn(folder)
    // As if this process had the number of one that was killed before.
    const file = join(folder, own, '.owner')
    const owner = JSON.parse(await readFile(file, 'utf8'))
    await mkdir(join(folder, 'nacre-shell-old'))
    await writeFile(join(folder, 'nacre-shell-old', '.owner'), JSON.stringify({ ...owner, started: '1' }))
    await writeFile(join(folder, 'nacre-shell-old', 'output'), 'x')
    await start(folder)
    expect(await leftIn(folder)).toEqual([own])
    expectRunning(ids)
    await close()
    expectEnded(ids)
  })
})
