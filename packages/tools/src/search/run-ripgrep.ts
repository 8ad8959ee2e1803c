import { spawn } from 'node:child_process'

export interface RipgrepRun {
  readonly ripgrep: string
  readonly root: string
  readonly args: readonly string[]
  readonly signal: AbortSignal
}

// Nothing of the machine but its ignore files changes an answer.
const ALWAYS = ['--no-config', '--no-messages', '--no-ignore-messages', '--color=never', '--no-mmap', '--null']

/**
 * Runs ripgrep in a folder and gives its output piece by piece. `take` answers false to stop it, and must not throw.
 * Resolves to what ripgrep complains of, if it does. Throws when the signal aborts: then the process is gone.
 */
export async function runRipgrep(run: RipgrepRun, take: (piece: Buffer) => boolean): Promise<string | undefined> {
  const { ripgrep, root, args, signal } = run
  signal.throwIfAborted()
  const separator = process.platform === 'win32' ? ['--path-separator=/'] : []
  const child = spawn(ripgrep, [...ALWAYS, ...separator, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  let isStopped = false
  let complaint = ''
  child.stdout.on('data', (piece: Buffer) => {
    if (isStopped || take(piece)) return
    isStopped = true
    kill()
  })
  child.stderr.on('data', (piece: Buffer) => {
    if (complaint.length < 4_000) complaint += piece
  })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (isStopped || code === 0 || code === 1) return undefined
    // Files that can not be read give a code too, and no word.
    return code === null ? 'ripgrep was killed' : complaint.trim() || undefined
  } finally {
    signal.removeEventListener('abort', kill)
  }
}
