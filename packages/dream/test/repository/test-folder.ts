import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { openRepository, type RepositoryOptions } from '../../src/repository/repository.js'
import type { Cause, Repository } from '../../src/repository/types.js'

export const NOON = Date.UTC(2026, 0, 2, 12)
export const CAUSE: Cause = { by: 'agent', summary: 'Noted something' }

/** A folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A repository of its own, whose clock goes on by a second with each look at it. */
export async function newRepository(options: Partial<RepositoryOptions> = {}): Promise<Repository> {
  const path = options.path ?? join(newFolder(), 'memory')
  return openRepository({ path, now: ticking(), ...options })
}

export function ticking(from: number = NOON): () => number {
  let time = from
  return () => {
    time += 1000
    return time
  }
}

/** Writes files by one change. */
export function write(repository: Repository, files: Readonly<Record<string, string | undefined>>, cause = CAUSE) {
  return repository.change(cause, () => new Map(Object.entries(files)))
}

/** Whether the real git is there; without it only what needs it is left out. */
export const hasGit = spawnSync('git', ['--version']).status === 0
if (!hasGit) console.warn('git is not installed: what only git can tell is not tested.')

const IDENTITY = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgsign=false']

/** Runs the real git in a folder, without the settings of this machine. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const { stdout, stderr } = await promisify(execFile)('git', [...IDENTITY, ...args], { cwd: folder, env })
  return `${stdout}${stderr}`
}

/** What the real git finds wrong in a folder, dangling objects aside. */
export async function gitProblems(folder: string): Promise<string> {
  if (!hasGit) return ''
  const fsck = await git(folder, 'fsck', '--strict', '--no-dangling', '--no-progress').catch(String)
  return `${fsck}${await git(folder, 'status', '--porcelain')}`
}

/** All files below a folder, by their paths from it. */
export function listFiles(folder: string, prefix = ''): string[] {
  return readdirSync(join(folder, prefix)).flatMap((name) => {
    const path = join(prefix, name)
    return statSync(join(folder, path)).isDirectory() ? listFiles(folder, path) : [path]
  })
}

/** The working files as they lie on the disk. */
export function diskFiles(folder: string): Map<string, string> {
  const paths = listFiles(folder).filter((path) => !/^\.(git|nacre)\//.test(path) && path !== '.gitignore')
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}
