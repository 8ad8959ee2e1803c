import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Terminal } from '../../terminal.js'
import type { Diagnosis } from '../session-controls.js'

/** Programs that make work faster or better; none of them has to be there. */
export async function diagnosePrograms(env: Terminal['env'], signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const [ripgrep, git] = await Promise.all([versionOf('rg', env, signal), versionOf('git', env, signal)])
  return [searcher(ripgrep), program('git', git, 'Install git to see and undo changes of files.')]
}

function searcher(onPath: string | undefined): Diagnosis {
  const detail = onPath ?? (hasPackage() ? 'of the package @vscode/ripgrep' : undefined)
  return program('ripgrep', detail, 'Searching works without it, in JavaScript and slower. Install ripgrep for speed.')
}

function program(name: string, detail: string | undefined, remedy: string): Diagnosis {
  if (detail !== undefined) return { name, status: 'ok', detail }
  return { name, status: 'warning', detail: 'not found', remedy }
}

/** It comes with the tools, where the platform has it; a bundle has it beside itself. */
function hasPackage(): boolean {
  const own = createRequire(import.meta.url)
  const ways = [() => own, () => createRequire(own.resolve('@nacre/tools/package.json'))]
  return ways.some((way) => {
    try {
      return way().resolve('@vscode/ripgrep/package.json') !== ''
    } catch {
      return false
    }
  })
}

const PATIENCE = 10_000

function versionOf(name: string, env: Terminal['env'], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(name, ['--version'], { env: { ...env }, signal, timeout: PATIENCE }, (error, stdout) =>
      resolve(error ? undefined : stdout.split('\n')[0]?.trim()),
    )
  })
}
