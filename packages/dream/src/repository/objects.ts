import { createHash } from 'node:crypto'
import { NacreError } from '@nacre/core'
import type { PromiseFsClient, ReadObjectResult } from 'isomorphic-git'

/** The library, loaded when a folder is opened and not before: it takes longer to load than all of ours. */
export type GitLibrary = typeof import('isomorphic-git')

/** An entry of a tree: a file, a link or a submodule. */
export interface TreeEntry {
  readonly oid: string
  readonly mode: string
}

/** A commit as git has it. */
export interface CommitObject {
  readonly id: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  /** Milliseconds. */
  readonly time: number
}

/** What becomes of entries of a tree, by their paths; `undefined` takes one away. */
type TreeChanges = ReadonlyMap<string, TreeEntry | undefined>

/** Reads and writes the objects of one git folder. Objects never change, so what was read is kept. */
export interface Objects {
  commit(id: string): Promise<CommitObject>
  blob(oid: string): Promise<Uint8Array>
  /** Any object as it is. */
  raw(oid: string): Promise<{ readonly type: string; readonly data: Uint8Array }>
  /** What is right below a tree. */
  children(tree: string): Promise<readonly TreeChild[]>
  /** All files below a tree, by their paths. */
  entries(tree: string): Promise<ReadonlyMap<string, TreeEntry>>
  entry(tree: string, path: string): Promise<TreeEntry | undefined>
  /** The paths at which two trees differ, with both entries; without a tree it is an empty one. */
  compare(before: string | undefined, after: string): Promise<ReadonlyMap<string, readonly (TreeEntry | undefined)[]>>
  writeBlob(data: Uint8Array): Promise<string>
  /** A tree with these changes; `base` is left out for an empty one. */
  writeTree(base: string | undefined, changes: TreeChanges): Promise<string>
  writeCommit(commit: NewCommit): Promise<string>
  /** Forgets what was read: there are other objects now. */
  forget(): void
}

interface NewCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: { readonly name: string; readonly email: string }
  /** Milliseconds. */
  readonly time: number
}

/** The file modes of git that matter here. */
export const PLAIN_FILE = '100644'
export const FOLDER = '040000'

/** Whether an entry is a file with contents of its own. */
export function isPlainFile({ mode }: TreeEntry): boolean {
  return mode === PLAIN_FILE || mode === '100755'
}

/** The id that git gives to a file with these bytes. */
export function blobId(data: Uint8Array): string {
  return createHash('sha1').update(`blob ${data.length}\0`).update(data).digest('hex')
}

/** An entry of a tree, or a tree below it, by its name there. */
export type TreeChild = TreeEntry & { readonly name: string }

const KEPT_TREES = 5_000
const KEPT_COMMITS = 20_000

export function openObjects(git: GitLibrary, fs: PromiseFsClient, gitdir: string): Objects {
  const commits = new Map<string, CommitObject>()
  let cache = {}

  /** A person's gc may move an object into a pack, or out of one, at this moment: then it is found by looking again. */
  const read = async (oid: string, format: 'content' | 'parsed'): Promise<ReadObjectResult> => {
    try {
      return await git.readObject({ fs, gitdir, oid, format, cache })
    } catch {
      cache = {}
    }
    return git.readObject({ fs, gitdir, oid, format, cache }).catch((error: unknown) => {
      const advice = 'Restore the folder .git from a backup, or run `git fsck` there to see what is lost.'
      throw new NacreError('STORE_CORRUPT', `Object ${oid} of ${gitdir} can't be read. ${advice}`, { cause: error })
    })
  }

  const raw = async (oid: string) => {
    const { type, object } = await read(oid, 'content')
    // This format is always bytes, which the library's type can't say.
    return { type: type ?? '', data: object as Uint8Array }
  }

  const trees = openTrees(async (tree) => {
    const { object } = await read(tree, 'parsed')
    return Array.isArray(object) ? object.map(({ path, oid, mode }) => ({ name: path, oid, mode })) : []
  })
  return {
    async commit(id) {
      const known = commits.get(id)
      if (known) return known
      const { object } = await read(id, 'parsed')
      // Format and kind decide the type of the answer, which the library can't say.
      const { tree, parent, message, author } = object as import('isomorphic-git').CommitObject
      const commit = { id, tree, parents: parent, message, time: author.timestamp * 1000 }
      if (commits.size >= KEPT_COMMITS) commits.clear()
      commits.set(id, commit)
      return commit
    },
    async blob(oid) {
      return (await raw(oid)).data
    },
    raw,
    children: trees.children,
    entries: trees.entries,
    entry: trees.entry,
    compare: trees.compare,
    writeBlob: (blob) => git.writeBlob({ fs, gitdir, blob }),
    writeTree: (base, changes) => writeTree({ git, fs, gitdir, children: trees.children }, base, changes),
    async writeCommit({ tree, parents, message, author, time }) {
      const by = { ...author, timestamp: Math.floor(time / 1000), timezoneOffset: 0 }
      const commit = { tree, parent: [...parents], message, author: by, committer: by }
      return git.writeCommit({ fs, gitdir, commit })
    },
    forget() {
      commits.clear()
      trees.forget()
      cache = {}
    },
  }
}

type Trees = Pick<Objects, 'children' | 'entries' | 'entry' | 'compare' | 'forget'>

function openTrees(read: (tree: string) => Promise<readonly TreeChild[]>): Trees {
  const kept = new Map<string, readonly TreeChild[]>()
  const children = async (tree: string): Promise<readonly TreeChild[]> => {
    const list = kept.get(tree) ?? (await read(tree))
    if (kept.size >= KEPT_TREES) kept.clear()
    kept.set(tree, list)
    return list
  }

  const compareLists = async (
    before: readonly TreeChild[],
    after: readonly TreeChild[],
    prefix: string,
    found: Map<string, readonly (TreeEntry | undefined)[]>,
  ): Promise<void> => {
    const old = new Map(before.map((child) => [child.name, child]))
    const now = new Map(after.map((child) => [child.name, child]))
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [left, right] = [old.get(name), now.get(name)]
      if (left?.oid === right?.oid && left?.mode === right?.mode) continue
      const path = prefix + name
      const [leftFolder, rightFolder] = [left?.mode === FOLDER, right?.mode === FOLDER]
      if (leftFolder || rightFolder) {
        const below = (child: TreeChild | undefined, is: boolean) => (child && is ? children(child.oid) : [])
        await compareLists(await below(left, leftFolder), await below(right, rightFolder), `${path}/`, found)
      }
      const files = [leftFolder ? undefined : left, rightFolder ? undefined : right]
      if (files.some((file) => file !== undefined)) found.set(path, files)
    }
  }

  const collect = async (tree: string, prefix: string, found: Map<string, TreeEntry>): Promise<void> => {
    for (const { name, oid, mode } of await children(tree)) {
      if (mode === FOLDER) await collect(oid, `${prefix}${name}/`, found)
      else found.set(prefix + name, { oid, mode })
    }
  }

  return {
    children,
    forget: () => kept.clear(),
    async entries(tree) {
      const found = new Map<string, TreeEntry>()
      await collect(tree, '', found)
      return found
    },
    async entry(tree, path) {
      const names = path.split('/')
      let at: TreeEntry | undefined = { oid: tree, mode: FOLDER }
      for (const name of names) {
        if (at?.mode !== FOLDER) return undefined
        at = (await children(at.oid)).find((child) => child.name === name)
      }
      return at?.mode === FOLDER ? undefined : at
    },
    async compare(before, after) {
      const found = new Map<string, readonly (TreeEntry | undefined)[]>()
      await compareLists(before ? await children(before) : [], await children(after), '', found)
      return found
    },
  }
}

interface TreeWriter {
  readonly git: GitLibrary
  readonly fs: PromiseFsClient
  readonly gitdir: string
  readonly children: (tree: string) => Promise<readonly TreeChild[]>
}

/** Writes only the folders that changed; one without files is none. */
async function writeTree(writer: TreeWriter, base: string | undefined, changes: TreeChanges): Promise<string> {
  const list = new Map((base ? await writer.children(base) : []).map((child) => [child.name, child]))
  const below = new Map<string, Map<string, TreeEntry | undefined>>()
  for (const [path, entry] of changes) {
    const [name = '', ...rest] = path.split('/')
    if (rest.length > 0) below.set(name, (below.get(name) ?? new Map()).set(rest.join('/'), entry))
    else if (entry) list.set(name, { name, ...entry })
    else list.delete(name)
  }
  for (const [name, inner] of below) {
    const old = list.get(name)
    const oid = await writeTree(writer, old?.mode === FOLDER ? old.oid : undefined, inner)
    if (oid !== EMPTY_TREE) list.set(name, { name, oid, mode: FOLDER })
    // What is no folder and gets no files below it stays what it is.
    else if (old?.mode === FOLDER) list.delete(name)
  }
  const { git, fs, gitdir } = writer
  return git.writeObject({ fs, gitdir, type: 'tree', format: 'content', object: encodeTree([...list.values()]) })
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Git sorts by bytes, and a folder as if its name ended in a slash. */
export function encodeTree(children: readonly TreeChild[]): Uint8Array {
  const sorted = children
    .map((child) => ({ ...child, key: Buffer.from(child.mode === FOLDER ? `${child.name}/` : child.name) }))
    .sort((left, right) => Buffer.compare(left.key, right.key))
  const parts = sorted.flatMap(({ name, mode, oid }) => [
    Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`),
    Buffer.from(oid, 'hex'),
  ])
  return Buffer.concat(parts)
}
