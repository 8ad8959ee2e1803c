import { NacreError } from '@nacre/core'
import type { Folder } from './commit-files.js'
import { readHead } from './head.js'
import { parseMessage } from './message.js'
import { type CommitObject, isPlainFile, type Objects, type TreeEntry } from './objects.js'
import { textOf } from './paths.js'
import type { Commit, FileDiff, Files } from './types.js'

const SHORTEST_ID = 4

/** A commit as people are told about it. */
export function toCommit({ id, time, message }: CommitObject): Commit {
  return { id, time, cause: parseMessage(message) }
}

/** All commits that the checked out one grew from, newest first and each before its parents. */
async function* walkHistory({ git, fs, gitdir, objects }: Folder): AsyncGenerator<CommitObject> {
  const head = await readHead(git, fs, gitdir)
  let next = head && (await objects.commit(head.commit))
  while (next !== undefined) {
    yield next
    const [parent, ...others] = next.parents
    if (others.length > 0) return yield* walkGraph(objects, next.parents)
    next = parent === undefined ? undefined : await objects.commit(parent)
  }
}

/** Where a person has merged branches: of the commits whose children all were there, the newest. */
async function* walkGraph(objects: Objects, from: readonly string[]): AsyncGenerator<CommitObject> {
  const commits = new Map<string, CommitObject>()
  const children = new Map<string, number>()
  const waiting = [...from]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (commits.has(id)) continue
    const commit = await objects.commit(id)
    commits.set(id, commit)
    for (const parent of commit.parents) children.set(parent, (children.get(parent) ?? 0) + 1)
    waiting.push(...commit.parents)
  }
  const ready = [...new Set(from)].filter((id) => !children.get(id)).flatMap((id) => commits.get(id) ?? [])
  while (ready.length > 0) {
    ready.sort((left, right) => left.time - right.time)
    const commit = ready.pop()
    if (commit === undefined) return
    yield commit
    for (const id of commit.parents) {
      const left = (children.get(id) ?? 1) - 1
      children.set(id, left)
      const parent = commits.get(id)
      if (left === 0 && parent) ready.push(parent)
    }
  }
}

/** The newest commits first; with a path only those that touched it. */
export async function readLog(
  folder: Folder,
  { path, limit = Number.POSITIVE_INFINITY }: { readonly path?: string; readonly limit?: number } = {},
): Promise<readonly Commit[]> {
  const found: Commit[] = []
  if (limit <= 0) return found
  for await (const commit of walkHistory(folder)) {
    if (path !== undefined && !(await hasTouched(folder.objects, commit, path))) continue
    found.push(toCommit(commit))
    if (found.length >= limit) break
  }
  return found
}

async function hasTouched(objects: Objects, { tree, parents }: CommitObject, path: string): Promise<boolean> {
  const now = await objects.entry(tree, path)
  const before = await Promise.all(
    parents.map(async (id) => (await objects.entry((await objects.commit(id)).tree, path))?.oid),
  )
  return before.length === 0 ? now !== undefined : before.every((oid) => oid !== now?.oid)
}

/** A commit of the history by its id or its beginning. */
export async function findCommit(folder: Folder, id: string): Promise<CommitObject> {
  const wanted = id.trim().toLowerCase()
  const found: CommitObject[] = []
  if (/^[0-9a-f]+$/.test(wanted) && wanted.length >= SHORTEST_ID) {
    for await (const commit of walkHistory(folder)) if (commit.id.startsWith(wanted)) found.push(commit)
  }
  const [first, second] = found
  if (first === undefined) {
    const hint = `Give at least ${SHORTEST_ID} characters of an id that the log shows.`
    throw new NacreError('NOT_FOUND', `The memory folder has no commit ${JSON.stringify(id)}. ${hint}`)
  }
  if (second !== undefined) {
    const ids = found.map((commit) => commit.id.slice(0, 12)).join(', ')
    throw new NacreError('INVALID_REQUEST', `${JSON.stringify(id)} is the beginning of ${ids}. Give more of it.`)
  }
  return first
}

/** The files that a commit touched, before and after it; of a merge, against the branch it was made on. */
export async function readDiff(folder: Folder, commit: CommitObject): Promise<readonly FileDiff[]> {
  const { objects } = folder
  const [parent] = commit.parents
  const before = parent === undefined ? undefined : (await objects.commit(parent)).tree
  const changes = await objects.compare(before, commit.tree)
  const diffs: FileDiff[] = []
  for (const [path, [left, right]] of [...changes].sort(byPath)) {
    const [old, now] = [await textAt(objects, left), await textAt(objects, right)]
    if (old === now) continue
    diffs.push({ path, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) })
  }
  return diffs
}

/** All text files at a commit. */
export async function readFilesAt({ objects }: Folder, { tree }: CommitObject): Promise<Files> {
  const files = new Map<string, string>()
  for (const [path, entry] of [...(await objects.entries(tree))].sort(byPath)) {
    const text = await textAt(objects, entry)
    if (text !== undefined) files.set(path, text)
  }
  return files
}

async function textAt(objects: Objects, entry: TreeEntry | undefined): Promise<string | undefined> {
  return entry && isPlainFile(entry) ? textOf(await objects.blob(entry.oid)) : undefined
}

function byPath([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}
