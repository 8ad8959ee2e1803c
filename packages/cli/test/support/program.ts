import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The program as it was built, to be started as a process. */
export const program = {
  main: fileURLToPath(new URL('../../dist/main.js', import.meta.url)),
  start(args: readonly string[], { cwd, env }: Place, options: SpawnOptions = {}): ChildProcess {
    return spawn(process.execPath, [program.main, ...args], { cwd, env, ...options } as SpawnOptions)
  },
  /** Runs to the end, with what it reads on stdin. */
  run(args: readonly string[], place: Place, stdin = ''): Promise<Ran> {
    const child = program.start(args, place)
    child.stdin?.on('error', () => {}).end(stdin)
    return ended(child)
  },
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
