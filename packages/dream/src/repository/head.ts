import { link, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PromiseFsClient } from 'isomorphic-git'
import { errorCode, ignoreMissing, unwritable, writeNewFile } from './atomic-fs.js'
import type { GitLibrary } from './objects.js'

const MARK = 'locked by nacre'
const BUSY_WITH = [
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['rebase-merge/head-name', 'rebase'],
  ['rebase-apply/next', 'rebase'],
] as const

/** The branch that is checked out, and its newest commit. */
export interface Head {
  /** `undefined` where no branch is, but an old commit. */
  readonly ref?: string
  readonly commit: string
}

/** Reads what is checked out. Without a commit there is none. */
export async function readHead(git: GitLibrary, fs: PromiseFsClient, gitdir: string): Promise<Head | undefined> {
  const text = (await readFile(join(gitdir, 'HEAD'), 'utf8').catch(ignoreMissing))?.trim() ?? ''
  const ref = /^ref: *(.+)$/.exec(text)?.[1]
  if (ref === undefined) return text === '' ? undefined : { commit: text }
  try {
    return { ref, commit: await git.resolveRef({ fs, gitdir, ref }) }
  } catch (error) {
    if (errorCode(error) !== 'NotFoundError') throw error
    return undefined
  }
}

/** Throws while a person is in the midst of something that a commit of ours would spoil. */
export async function mustBeOnBranch(gitdir: string, head: Head | undefined): Promise<string> {
  const folder = dirname(gitdir)
  if (head !== undefined && head.ref === undefined) {
    throw unwritable(
      `The memory folder ${folder} has an old commit checked out, and what is written now would get lost. Run \`git checkout main\` there.`,
    )
  }
  for (const [file, what] of BUSY_WITH) {
    if ((await readFile(join(gitdir, file)).catch(ignoreMissing)) === undefined) continue
    throw unwritable(`A git ${what} is going on in the memory folder ${folder}. Finish it there, or abort it.`)
  }
  return head?.ref ?? 'refs/heads/main'
}

/** How long git is waited for, which holds its locks for moments only. */
export interface Patience {
  readonly wait: (milliseconds: number) => Promise<void>
  readonly milliseconds: number
}

const STEP = 20

/**
 * Takes a lock file of git as git does, so that neither overwrites what the other has just written. Ours has our mark
 * in it from its first moment on, so that one that a kill has left is known as such.
 */
export async function lockFile(path: string, temporary: string, patience: Patience): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeNewFile(temporary, MARK)
    for (let waited = 0; ; waited += STEP) {
      if (await links(temporary, path)) return true
      if (waited >= patience.milliseconds) return false
      await patience.wait(STEP)
    }
  } finally {
    await rm(temporary, { force: true })
  }
}

async function links(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    const hasNoLinks = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(errorCode(error) ?? '')
    if (!hasNoLinks) throw error
  }
  return writeNewFile(to, MARK).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    },
  )
}

/** Removes a lock file that one of us left when it was killed. Only for the holder of the folder's lock. */
export async function removeLeftLock(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing)
  if (text === MARK) await rm(path, { force: true })
}
