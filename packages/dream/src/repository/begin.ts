import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NacreError } from '@nacre/core'
import { makePrivateFolder } from '@nacre/core/node'
import { ignoreMissing, replaceFile, unwritable } from './atomic-fs.js'
import { type Folder, refreshIndex, temporaryFile } from './commit-files.js'
import { lockFile, readHead } from './head.js'
import { formatMessage } from './message.js'
import { openObjects, PLAIN_FILE } from './objects.js'
import { CONSOLIDATE_LOCK, PRIVATE } from './paths.js'

/** What of the folder is no part of its history: our private state and the lock of dreams. */
export const OWN_IGNORE = `${PRIVATE}/\n${CONSOLIDATE_LOCK}\n`

const ROOT = { by: 'import', summary: 'Begin the memory folder' } as const
const ROOT_REF = 'refs/heads/main'
/** A blob, a tree and a commit: as many as a killed beginning can leave. */
const ROOT_OBJECTS = 3

/** Whether the folder is a repository with a commit. */
export async function hasBegun(folder: Folder): Promise<boolean> {
  const stats = await lstat(folder.gitdir).catch(ignoreMissing)
  if (stats !== undefined && !stats.isDirectory()) {
    throw unwritable(
      `${folder.path} is a linked worktree or a submodule of another repository. Move it elsewhere, so that it can have its own history.`,
    )
  }
  return stats !== undefined && (await readHead(folder.git, folder.fs, folder.gitdir)) !== undefined
}

/**
 * Makes the folder a repository with a first commit, which has the ignore file and nothing else. It is made beside and
 * renamed, so that no other process and no kill sees half of it. Only for the holder of the folder's lock.
 */
export async function begin(folder: Folder): Promise<void> {
  const { gitdir, git, fs } = folder
  const isThere = (await lstat(gitdir).catch(ignoreMissing)) !== undefined
  if (isThere) await mustBeNew(folder)
  const made = isThere ? gitdir : temporaryFile(folder)
  if (!isThere) {
    await makePrivateFolder(made)
    await git.init({ fs, gitdir: made, bare: true, defaultBranch: 'main' })
    await writeFile(join(made, 'config'), CONFIG)
    await makePrivateFolder(join(made, 'info'))
    await writeFile(join(made, 'info', 'exclude'), OWN_IGNORE)
  }
  const objects = openObjects(git, fs, made)
  const oid = await objects.writeBlob(Buffer.from(OWN_IGNORE))
  const tree = await objects.writeTree(undefined, new Map([['.gitignore', { oid, mode: PLAIN_FILE }]]))
  const message = formatMessage(ROOT)
  const commit = await objects.writeCommit({ tree, parents: [], message, author: folder.author, time: folder.now() })
  const head = (await readFile(join(made, 'HEAD'), 'utf8')).trim()
  const ref = head.replace(/^ref: */, '')
  const ignore = join(folder.path, '.gitignore')
  if ((await lstat(ignore).catch(ignoreMissing)) === undefined) {
    await replaceFile(ignore, OWN_IGNORE, temporaryFile(folder))
  }
  await git.writeRef({ fs, gitdir: made, ref: ref || ROOT_REF, value: commit, force: true })
  if (!isThere) await rename(made, gitdir)
  const index = join(gitdir, 'index.lock')
  // Without an index git only shows less: the next change makes one.
  if (!(await lockFile(index, temporaryFile(folder), { wait: folder.wait, milliseconds: 0 }))) return
  try {
    await refreshIndex(folder)
  } finally {
    await rm(index, { force: true })
  }
}

/** A branch without a commit among the objects of a history is damage, or a person's plan: no place to begin at. */
async function mustBeNew({ gitdir, path }: Folder): Promise<void> {
  const objects = join(gitdir, 'objects')
  const folders = ((await readdir(objects).catch(ignoreMissing)) ?? []).filter((name) => /^[0-9a-f]{2}$/.test(name))
  const packs = ((await readdir(join(objects, 'pack')).catch(ignoreMissing)) ?? []).length
  const hasHead = (await lstat(join(gitdir, 'HEAD')).catch(ignoreMissing)) !== undefined
  if (hasHead && packs === 0 && folders.length <= ROOT_OBJECTS) return
  const advice = 'Check out a branch that has commits; if it is lost, `git fsck --lost-found` there finds its last one.'
  throw new NacreError(
    'STORE_CORRUPT',
    `What is checked out in ${path} has no commit, but there is a history. ${advice}`,
  )
}

/** Bytes stay as they are on every system, and a changed permission is no change. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = false
\tbare = false
\tlogallrefupdates = true
\tautocrlf = false
`
