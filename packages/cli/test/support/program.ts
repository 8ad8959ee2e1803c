import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest'
import { bundleOptions } from '../../bundle.config.js'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The program, bundled from its sources once for a test file. */
export interface Program {
  /** The file to start with Node; there once the tests run. */
  readonly main: string
  start(args: readonly string[], place: Place, options?: SpawnOptions): ChildProcess
  /** Runs to the end, with what it reads on stdin. */
  run(args: readonly string[], place: Place, stdin?: string): Promise<Ran>
}

export function bundledProgram(): Program {
  // Processes are started, and the machine may be busy.
  vi.setConfig({ testTimeout: 60_000 })
  const folder = mkdtemp(join(tmpdir(), 'nacre-program-'))
  let main = ''
  beforeAll(async () => {
    main = join(await folder, 'main.mjs')
    await build({
      ...bundleOptions,
      entry: { main: fileURLToPath(new URL('../../src/main.ts', import.meta.url)) },
      outDir: await folder,
      outExtension: () => ({ js: '.mjs' }),
      minify: false,
      clean: false,
      config: false,
      silent: true,
      esbuildOptions: (options) => {
        options.conditions = ['@nacre/source']
        options.jsx = 'automatic'
      },
    })
  }, 120_000)
  afterAll(async () => rm(await folder, { recursive: true, force: true }))
  const start: Program['start'] = (args, { cwd, env }, options = {}) =>
    spawn(process.execPath, [main, ...args], { cwd, env, ...options } as SpawnOptions)
  return {
    get main() {
      return main
    },
    start,
    run(args, place, stdin = '') {
      const child = start(args, place)
      child.stdin?.on('error', () => {}).end(stdin)
      return ended(child)
    },
  }
}

/** A folder to work in and a home of its own, for one test. */
export async function freshPlace(env: Readonly<Record<string, string>> = {}): Promise<Place> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'nacre-home-')))
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'nacre-work-')))
  onTestFinished(async () => {
    for (const folder of [home, cwd]) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return { cwd, env: { PATH: process.env.PATH, HOME: home, NACRE_HOME: join(home, 'nacre'), ...env } }
}

export function ended(child: ChildProcess): Promise<Ran> {
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      out[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...out }))
  })
}
