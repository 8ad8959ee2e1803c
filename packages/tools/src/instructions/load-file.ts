import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { bytesAt } from '../files/bytes-at.js'
import { fileHash } from '../files/file-hash.js'
import { decodeText } from '../files/text-file.js'
import { realPath } from '../paths/real-path.js'
import { findImports } from './find-imports.js'
import type { InstructionFile, InstructionKind } from './instruction-file.js'

/** One loading of instructions: what it may read, and what it has read. */
export interface Loading {
  /** Files of a project lead nowhere else, unless that is allowed: a project must not bring a person's secrets in. */
  readonly root: string
  readonly importsAnywhere: boolean
  readonly home?: string | undefined
  /** Real paths: each file comes once, so a circle of imports ends. */
  readonly seen: Set<string>
}

const DEPTH = 5
const MOST_FILES = 100
const MOST_CHARACTERS = 40_000

/** A file and what it imports, in that order; nothing where there is no such file. */
export function loadFile(loading: Loading, kind: InstructionKind, path: string): Promise<readonly InstructionFile[]> {
  return load(loading, kind, path, 0)
}

async function load(
  loading: Loading,
  kind: InstructionKind,
  path: string,
  depth: number,
  importedBy?: string,
): Promise<readonly InstructionFile[]> {
  const real = await realPath(path).catch(() => undefined)
  if (real === undefined || !mayLoad(loading, kind, real) || loading.seen.has(real)) return []
  if (loading.seen.size >= MOST_FILES) return []
  const bytes = (await bytesAt(real))?.bytes
  const content = bytes && decodeText(bytes)?.text
  if (!bytes || content === undefined || content.trim() === '') return []
  loading.seen.add(real)
  const text = shortened(content)
  const own = { kind, path: real, text, hash: fileHash(bytes), ...(importedBy && { importedBy }) }
  if (depth === DEPTH) return [own]
  const imported: (readonly InstructionFile[])[] = []
  for (const each of findImports(text)) {
    imported.push(await load(loading, kind, target(loading, real, each), depth + 1, real))
  }
  return [own, ...imported.flat()]
}

function mayLoad({ root, importsAnywhere }: Loading, kind: InstructionKind, real: string): boolean {
  if (importsAnywhere || kind === 'managed' || kind === 'user') return true
  const way = relative(root, real)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function target({ home = homedir() }: Loading, from: string, path: string): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(dirname(from), path)
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text
  // Not in the middle of a character of two units.
  const start = text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')
  return `${start}\n[Cut: the file has ${text.length} characters. Read it for the rest.]`
}
