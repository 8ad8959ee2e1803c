import { execFile } from 'node:child_process'
import type { Terminal } from '../../terminal.js'
import type { Diagnosis } from '../session-controls.js'

/** Programs that make work faster or better; none of them has to be there. */
export async function diagnosePrograms(env: Terminal['env'], signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const { findRipgrep } = await import('@nacre/tools')
  const path = await findRipgrep()
  const [ripgrep, git] = await Promise.all([path && versionOf(path, env, signal), versionOf('git', env, signal)])
  return [
    program('ripgrep', ripgrep, 'Searching works without it, in JavaScript and slower. Install ripgrep for speed.'),
    program('git', git, 'Install git to see and undo changes of files.'),
  ]
}

function program(name: string, detail: string | undefined, remedy: string): Diagnosis {
  if (detail !== undefined) return { name, status: 'ok', detail }
  return { name, status: 'warning', detail: 'not found', remedy }
}

const PATIENCE = 10_000

function versionOf(name: string, env: Terminal['env'], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(name, ['--version'], { env: { ...env }, signal, timeout: PATIENCE }, (error, stdout) =>
      resolve(error ? undefined : stdout.split('\n')[0]?.trim()),
    )
  })
}
