import { NacreError } from '@nacre/core'
import { diffArrays } from 'diff'
import type { Folder } from './commit-files.js'
import { readHead } from './head.js'
import { toCommit } from './history.js'
import type { CommitObject } from './objects.js'
import { decodeText } from './paths.js'
import type { BlamedLine, Commit } from './types.js'

/** Lines of the newest file, by where they stand in an older one. */
type Places = ReadonlyMap<number, number>

/** Each line of a file with the commit that brought it: the oldest one from which on it was always there. */
export async function blameFile(folder: Folder, path: string): Promise<readonly BlamedLine[]> {
  const { git, fs, gitdir, objects } = folder
  const head = await readHead(git, fs, gitdir)
  const newest = head && (await objects.commit(head.commit))
  const lines = newest && (await linesAt(folder, newest, path))
  if (newest === undefined || lines === undefined) {
    throw new NacreError('NOT_FOUND', `The memory folder has no file ${JSON.stringify(path)}. Name one that it lists.`)
  }
  const commits: Commit[] = []
  const waiting: { readonly commit: CommitObject; readonly places: Places }[] = [
    { commit: newest, places: new Map(lines.map((_, index) => [index, index])) },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { commit } = next
    let left = next.places
    for (const id of commit.parents) {
      if (left.size === 0) break
      const parent = await objects.commit(id)
      const older = await placesIn(folder, commit, parent, path, left)
      if (older.size > 0) waiting.push({ commit: parent, places: older })
      const passed = new Set(older.values())
      left = new Map([...left].filter(([, line]) => !passed.has(line)))
    }
    for (const line of left.values()) commits[line] = toCommit(commit)
  }
  return lines.flatMap((text, index) => {
    const commit = commits[index]
    return commit ? [{ text, commit }] : []
  })
}

/** Where these lines of a commit are in its parent; those that it has not are left out. */
async function placesIn(
  folder: Folder,
  commit: CommitObject,
  parent: CommitObject,
  path: string,
  places: Places,
): Promise<Places> {
  const [now, before] = await Promise.all([commit, parent].map(({ tree }) => folder.objects.entry(tree, path)))
  if (now?.oid === before?.oid) return places
  const [lines = [], older] = await Promise.all([commit, parent].map((each) => linesAt(folder, each, path)))
  const found = new Map<number, number>()
  if (older === undefined) return found
  let [at, olderAt] = [0, 0]
  for (const { added, removed, count } of diffArrays([...older], [...lines])) {
    for (let step = 0; step < count && !added && !removed; step++) {
      const line = places.get(at + step)
      if (line !== undefined) found.set(olderAt + step, line)
    }
    if (!removed) at += count
    if (!added) olderAt += count
  }
  return found
}

async function linesAt(folder: Folder, { tree }: CommitObject, path: string): Promise<readonly string[] | undefined> {
  const entry = await folder.objects.entry(tree, path)
  const text = entry && decodeText(await folder.objects.blob(entry.oid))
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
