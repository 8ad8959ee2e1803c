import { isAbsolute, resolve } from 'node:path'
import { globSync } from 'tinyglobby'
import { leadsTo } from '../leads-to.js'
import type { CommandPart } from './command-part.js'
import type { CommandWord } from './command-word.js'

export interface WordPath {
  readonly given: string
  readonly real: string
}

const MOST = 2000

/** These lead elsewhere for the command than they do here. */
const OWN_TO_PROCESSES = /\/proc\/[^/]+\/(task\/[^/]+\/)?(cwd|fd|map_files)(\/|$)|^\/dev\/fd\/(?!63$)/

/** The files that a word names, wherever its part may run; nothing when that is not known before it runs. */
export function wordPaths(word: CommandWord, { folders }: CommandPart): readonly WordPath[] | undefined {
  const { kind, text } = word
  if (kind !== 'static' && kind !== 'glob') return undefined
  if (OWN_TO_PROCESSES.test(text)) return undefined
  const starts = isAbsolute(text) ? ['/'] : folders
  if (starts.length === 0) return undefined
  const named = starts.map((folder) => pathIn(folder, text))
  if (kind === 'static') return named
  if (isTooWide(text)) return undefined
  const found = starts.flatMap((folder) => expand(text, folder))
  return found.length > MOST ? undefined : [...named, ...found]
}

/** To look up many stars, one below the other, would be to read whole disks. */
function isTooWide(pattern: string): boolean {
  const wild = pattern.split('/').filter((segment) => /[*?[]/.test(segment)).length
  return wild > (isAbsolute(pattern) || pattern.includes('..') ? 2 : 4)
}

function pathIn(folder: string, text: string): WordPath {
  return { given: resolve(folder, text), real: leadsTo(text, folder) }
}

/** As a shell does: a star stays within a folder and leaves hidden files out. */
function expand(pattern: string, cwd: string): WordPath[] {
  const options = { cwd, absolute: true, onlyFiles: false, expandDirectories: false, followSymbolicLinks: true }
  return globSync(pattern.replace(/\*{2,}/g, '*'), options).map((path) => pathIn('/', path.replace(/\/$/, '')))
}
