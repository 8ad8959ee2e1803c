import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { RunOptions } from '../../src/arguments/run-options.js'
import type { Terminal } from '../../src/terminal/terminal.js'

/** A home, a data folder and a project of their own, and a terminal that knows nothing else. */
export interface Stage {
  readonly root: string
  readonly home: string
  readonly data: string
  readonly terminal: Terminal
  /** What was written to each stream so far. */
  out(): string
  err(): string
  /** Writes a file below the root of the project; `~/` stands for the home. */
  write(path: string, content: unknown): Promise<string>
}

export async function stage(
  env: Readonly<Record<string, string>> = {},
  atEnd: (clean: () => Promise<void>) => void = onTestFinished,
): Promise<Stage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nacre-cli-')))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [root, home, data] = ['project', 'home', 'data'].map((name) => join(folder, name)) as [string, string, string]
  for (const each of [join(root, '.git'), home, data]) await mkdir(each, { recursive: true })
  const [stdout, stderr] = [collected(), collected()]
  const terminal = {
    args: [],
    env: { PATH: process.env.PATH, HOME: home, NACRE_HOME: data, ...env },
    cwd: root,
    home,
    stdin: process.stdin,
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: () => Date.UTC(2026, 10, 16, 12),
  } satisfies Terminal
  return {
    root,
    home,
    data,
    terminal,
    out: stdout.text,
    err: stderr.text,
    async write(path, content) {
      const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(root, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
      return file
    },
  }
}

function collected(): { readonly stream: NodeJS.WriteStream; text(): string } {
  const stream = new PassThrough()
  let text = ''
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text }
}

/** The options of a command line, with what a test needs to be otherwise. */
export function runOptions(changes: Partial<RunOptions> = {}): RunOptions {
  return {
    output: 'text',
    input: 'text',
    limits: {},
    open: { kind: 'new' },
    isOffline: true,
    overrides: {},
    ...changes,
  }
}
