import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { type BytePath, pathBytes, pathText } from './byte-path.js'
import { childLevel, type IgnoreLevel, ignoreLevels, isInRepository, judgeByLevels } from './ignore-level.js'

export interface WalkOptions {
  /** Whether names that begin with a dot are walked, `.git` never. */
  readonly isHidden: boolean
  readonly maxDepth?: number
  readonly signal: AbortSignal
}

/** The files that ripgrep would look into, relative to the root and in the order of their paths. Links are not followed. */
export async function* walkFiles(root: string, options: WalkOptions): AsyncGenerator<BytePath> {
  const { isHidden, maxDepth = Number.POSITIVE_INFINITY, signal } = options
  const isWithinGit = isInRepository(root)
  const base = root.endsWith('/') ? root : `${root}/`
  yield* walk('', 1, ignoreLevels(root, isWithinGit))

  async function* walk(path: BytePath, depth: number, above: IgnoreLevel): AsyncGenerator<BytePath> {
    signal.throwIfAborted()
    const entries = await entriesOf(Buffer.concat([Buffer.from(base), pathBytes(path)]))
    const names = new Set(entries.map(({ name }) => name.toString('latin1')))
    const level = path === '' ? above : childLevel(`${base}${pathText(path)}`, names, above, isWithinGit)
    for (const entry of entries) {
      const child = `${path}${entry.name.toString('latin1')}`
      const isFolder = entry.isDirectory()
      if (!(isFolder || entry.isFile()) || isSkipped(entry.name.toString('latin1'), child, isFolder, level)) continue
      if (!isFolder) yield child
      else if (depth < maxDepth) yield* walk(`${child}/`, depth + 1, level)
    }
  }

  function isSkipped(name: string, child: BytePath, isFolder: boolean, level: IgnoreLevel): boolean {
    if (isHidden && name === '.git') return true
    const verdict = judgeByLevels(level, `${base}${pathText(child)}`, isFolder)
    return verdict === 'skip' || (verdict === undefined && !isHidden && name.startsWith('.'))
  }
}

async function entriesOf(folder: Buffer): Promise<Dirent<Buffer>[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' })
    return entries.sort((one, other) => Buffer.compare(one.name, other.name))
  } catch {
    // A folder that can not be read has nothing to find, as with ripgrep.
    return []
  }
}
