import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { NacreError } from '@nacre/core'

/** What a run of git may take. */
const PATIENCE = 60_000
/** The names of all files of a large tree. */
const MAX_OUTPUT = 256 * 1024 * 1024

/** No program of the project is started by it, and the untracked files count whatever a person likes to be shown. */
const SETTINGS = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'status.showUntrackedFiles=all']

/** Set while git runs a hook; they would lead to another repository than the one of the folder. */
const MISLEADING = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]

/** How a run of git ended. */
export interface GitResult {
  readonly isOk: boolean
  readonly output: string
  /** What git said of a failure. */
  readonly complaint: string
}

/**
 * Runs git in a folder, without a shell, a question, a hook or a program that the repository names. Rejects only where it
 * could not run to its end.
 */
export async function runGit(cwd: string, args: readonly string[], signal?: AbortSignal): Promise<GitResult> {
  // Without the folder the system says the same as without the program.
  const folder = await stat(cwd).catch(() => undefined)
  if (!folder?.isDirectory()) throw new NacreError('NOT_FOUND', `There is no folder ${cwd}.`)
  // Only these two look into files and put them there.
  const readsFiles = args[0] === 'worktree' || args[0] === 'status'
  return start(cwd, args, readsFiles ? await withoutPrograms(cwd, environment(), signal) : environment(), signal)
}

async function start(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<GitResult> {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  const options = { cwd, env, timeout: PATIENCE, maxBuffer: MAX_OUTPUT }
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted())
    const child = execFile('git', [...settings, ...args], options, (error, output, complaint) => {
      signal?.removeEventListener('abort', stop)
      const failure = error && (signal?.aborted ? aborted() : unfinished(error, args[0] ?? ''))
      if (failure) reject(failure)
      else resolve({ isOk: error === null, output, complaint: complaint.trim() })
    })
    // Not the option of execFile: that one does not wait for the end, and git would still clean up beside the next one.
    const stop = () => {
      child.kill()
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
    signal?.addEventListener('abort', stop)
  })
}

function aborted(): NacreError {
  return new NacreError('ABORTED', 'The work with git was aborted.')
}

/** Runs git where only success makes sense; gives what it printed. */
export async function git(cwd: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const { isOk, output, complaint } = await runGit(cwd, args, signal)
  if (isOk) return output
  throw new NacreError('INVALID_REQUEST', `git ${args[0]} failed in ${cwd}: ${complaint || 'it gave no reason'}`)
}

function environment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env }
  for (const name of MISLEADING) delete env[name]
  // In English and without locks that would be in the way of a person's own git.
  return { ...env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
}

/**
 * The environment with numbered settings that switch off the programs in the repository's own configuration that a checkout
 * or a status would start. Those that a person has set for all repositories stay, and so does Git LFS. Not found are those
 * of submodules.
 */
async function withoutPrograms(
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<NodeJS.ProcessEnv> {
  const { output } = await start(cwd, ['config', '--list', '--show-scope', '-z'], env, signal)
  const parts = output.split('\0')
  const entries = parts.flatMap((scope, at) =>
    at % 2 === 0 && /^(?:local|worktree)$/.test(scope) ? [parts[at + 1] ?? ''] : [],
  )
  const all = entries.map((entry) => /^([^\n]*)\n?(.*)$/s.exec(entry)?.slice(1) ?? [])
  const isLarge = !all.some(([key = '']) => /^lfs\..*(?:customtransfer|extension|standalonetransferagent)/.test(key))
  const pairs = all.flatMap(([key = '', value = '']) => (isLarge && LARGE_FILES.test(value) ? [] : harmless(key)))
  const first = /^\d{1,6}$/.test(env.GIT_CONFIG_COUNT ?? '') ? Number(env.GIT_CONFIG_COUNT) : 0
  const numbered = pairs.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  if (pairs.length === 0) return env
  return {
    ...env,
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(first + pairs.length),
    GIT_PROXY_COMMAND: '',
  }
}

const LARGE_FILES = /^git-lfs (?:clean -- %f|smudge(?: --skip)? -- %f|filter-process(?: --skip)?)$/

/** What makes a setting of the repository harmless. A checkout of part of a repository may ask its remote for the rest. */
function harmless(key: string): readonly (readonly [key: string, value: string])[] {
  if (/^filter\..*\.(?:clean|smudge|process)$/s.test(key)) return [[key, '']]
  if (/^filter\..*\.required$/s.test(key)) return [[key, 'false']]
  if (key === 'core.sshcommand') return [[key, 'ssh']]
  if (key === 'core.askpass' || /^credential\.(?:.*\.)?helper$/s.test(key)) return [[key, '']]
  if (/^protocol\./.test(key)) return [['protocol.ext.allow', 'never']]
  // Of these git takes the first, so that nothing said later counts: a folder of this machine can't be asked then.
  return /^remote\..*\.uploadpack$/s.test(key) ? [['protocol.file.allow', 'never']] : []
}

/** Why a run has not ended by itself; `undefined` where git ended it with a failure of its own. */
function unfinished(error: Error & { code?: unknown; killed?: boolean }, command: string): NacreError | undefined {
  if (error.code === 'ENOENT') {
    const message = 'There is no git here. Install it and put it on the PATH, or let the agent work without a worktree.'
    return new NacreError('NOT_FOUND', message, { cause: error })
  }
  if (typeof error.code === 'number') return undefined
  const message = error.killed
    ? `git ${command} has not ended within ${PATIENCE / 1_000} seconds. Look at what keeps it, and try again.`
    : `git ${command} could not run: ${error.message}`
  return new NacreError('INVALID_REQUEST', message, { cause: error })
}
