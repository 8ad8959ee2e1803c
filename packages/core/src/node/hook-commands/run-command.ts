import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { NacreError } from '../../nacre-error.js'

export interface CommandOutput {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandRun {
  readonly command: string
  readonly input: string
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Characters kept of each stream. The rest is read and dropped, so that the command never waits for a reader. */
export const OUTPUT_LIMIT = 50_000

const isWindows = process.platform === 'win32'

/** Groups of their own would outlive a program that ends without aborting them. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killGroup(child)
})

/** Runs a command in a shell and in a process group of its own, which an abort kills whole. Rejects if it never ended by itself. */
export async function runCommand({ command, input, cwd, environment, signal }: CommandRun): Promise<CommandOutput> {
  signal.throwIfAborted()
  const child = spawn(command, { shell: true, cwd, env: { ...environment }, detached: !isWindows, windowsHide: true })
  running.add(child)
  const stdout = keepText(child.stdout)
  const stderr = keepText(child.stderr)
  // A command need not read its input; EPIPE is then no failure.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let onAbort = () => {}
  try {
    return await new Promise<CommandOutput>((resolve, reject) => {
      onAbort = () => {
        killGroup(child)
        // What left the group may still hold the streams; nobody waits for it.
        child.stdout.destroy()
        child.stderr.destroy()
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort)
      child.on('error', (cause) => {
        reject(new NacreError('HOOK_FAILED', `'${command}' could not be started: ${cause.message}`, { cause }))
      })
      child.on('close', (code, by) => {
        if (code === null) reject(new NacreError('HOOK_FAILED', `'${command}' was ended by ${by}`))
        else resolve({ code, stdout: stdout(), stderr: stderr() })
      })
    })
  } finally {
    signal.removeEventListener('abort', onAbort)
    running.delete(child)
  }
}

function keepText(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    if (text.length < OUTPUT_LIMIT) text = (text + chunk).slice(0, OUTPUT_LIMIT)
  })
  return () => text
}

function killGroup(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).on('error', () => child.kill())
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended by itself.
  }
}
