import type { PromiseFsClient } from 'isomorphic-git'
import { forEachOf } from './atomic-fs.js'
import { encodeTree, FOLDER, type GitLibrary, type Objects } from './objects.js'
import { decodeText } from './paths.js'
import type { TextFilter } from './purge-text.js'

const SUBMODULE = '160000'
const SIGNATURE = /^(gpgsig|gpgsig-sha256|mergetag) /

interface RewriterOptions {
  readonly git: GitLibrary
  readonly fs: PromiseFsClient
  /** Where the new objects go. */
  readonly gitdir: string
  /** The old ones. */
  readonly objects: Objects
  readonly filter: TextFilter
  readonly paths: ReadonlySet<string>
}

/** Writes an object and all that it refers to anew, without what is purged; `undefined` when nothing is left of it. */
export type Rewrite = (oid: string) => Promise<string | undefined>

export function createRewriter(options: RewriterOptions): Rewrite {
  const { objects } = options
  const done = new Map<string, string | undefined>()
  const files = createFileRewriter(options)

  const rewriteOne = async (oid: string, type: string, data: Uint8Array): Promise<string | undefined> => {
    if (type === 'blob') return files.blob(oid)
    if (type === 'tree') return files.tree(oid, '')
    const encoding = decodeText(data) === undefined ? 'latin1' : 'utf8'
    const old = Buffer.from(data).toString(encoding)
    const text = await rewriteDescription(old, options.filter, done, (tree) => files.tree(tree, ''))
    return text === undefined ? undefined : files.write(type === 'tag' ? 'tag' : 'commit', Buffer.from(text, encoding))
  }

  // Without recursion: a history may be longer than a stack.
  return async (root) => {
    const waiting = [root]
    for (let oid = waiting.at(-1); oid !== undefined; oid = waiting.at(-1)) {
      if (!done.has(oid)) {
        const { type, data } = await objects.raw(oid)
        const needed = type === 'commit' || type === 'tag' ? references(data).filter((each) => !done.has(each)) : []
        waiting.push(...needed)
        if (needed.length > 0) continue
        done.set(oid, await rewriteOne(oid, type, data))
      }
      waiting.pop()
    }
    return done.get(root)
  }
}

function references(data: Uint8Array): readonly string[] {
  const [head = ''] = Buffer.from(data).toString('latin1').split('\n\n')
  return [...head.matchAll(/^(?:parent|object) ([0-9a-f]{40})$/gm)].flatMap(([, oid]) => oid ?? [])
}

function createFileRewriter({ git, fs, gitdir, objects, filter, paths }: RewriterOptions) {
  const done = new Map<string, string | undefined>()
  const write = (type: 'blob' | 'tree' | 'commit' | 'tag', object: Uint8Array) =>
    git.writeObject({ fs, gitdir, type, format: 'content', object })

  const blob = async (oid: string): Promise<string | undefined> => {
    if (done.has(oid)) return done.get(oid)
    const data = filter.cleanFile(await objects.blob(oid))
    const written = data && (await write('blob', data))
    done.set(oid, written)
    return written
  }

  const tree = async (oid: string, prefix: string): Promise<string | undefined> => {
    const key = `${prefix}:${oid}`
    if (done.has(key)) return done.get(key)
    const rewritten = await forEachOf(await objects.children(oid), async (child) => {
      const path = prefix + child.name
      if (paths.has(path)) return []
      const below = () => (child.mode === FOLDER ? tree(child.oid, `${path}/`) : blob(child.oid))
      // A submodule is a commit of another repository.
      const written = child.mode === SUBMODULE ? child.oid : await below()
      return written === undefined ? [] : [{ ...child, oid: written }]
    })
    const children = rewritten.flat()
    const written = children.length > 0 || prefix === '' ? await write('tree', encodeTree(children)) : undefined
    done.set(key, written)
    return written
  }
  return { blob, tree, write }
}

/** The text of a commit or a tag. Only what changes loses its signature. */
async function rewriteDescription(
  old: string,
  filter: TextFilter,
  done: ReadonlyMap<string, string | undefined>,
  rewriteTree: (tree: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const end = old.indexOf('\n\n')
  const [head, message] = end < 0 ? [old.trimEnd(), ''] : [old.slice(0, end), old.slice(end + 2)]
  const lines: string[] = []
  let isSame = true
  // A header goes on in lines that begin with a space.
  for (const line of head.split(/\n(?! )/)) {
    const [, name = '', value = ''] = /^(\S+) ([\s\S]*)$/.exec(line) ?? []
    let now: string | undefined = filter.has(line) ? undefined : line
    if (name === 'tree') now = `tree ${await rewriteTree(value)}`
    if (name === 'parent' || name === 'object') {
      const target = done.get(value)
      if (target === undefined) return undefined
      now = `${name} ${target}`
    }
    if (/^(author|committer|tagger)$/.test(name)) now = `${name} ${cleanPerson(value, filter)}`
    isSame &&= now === line
    if (now !== undefined && !SIGNATURE.test(line)) lines.push(now)
  }
  const cleaned = filter.cleanMessage(message)
  if (isSame && cleaned === message) return old
  return `${lines.join('\n')}\n\n${cleaned}`
}

function cleanPerson(value: string, filter: TextFilter): string {
  if (!filter.has(value)) return value
  const [, time = '0 +0000'] = /> (\d+ [+-]\d{4})$/.exec(value) ?? []
  return `[purged] <purged@localhost> ${time}`
}
