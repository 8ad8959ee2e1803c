import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import type { Id } from '@nacre/core'
import type { PathGuard } from '../paths/path-guard.js'
import { realPath } from '../paths/real-path.js'
import { type BytePath, bytePath } from './byte-path.js'

/** Where a search begins. */
export interface SearchPlace {
  /** A folder without links in its path; divided by '/'. */
  readonly root: string
  /** Set when the path was a file: its name in the root. */
  readonly file?: BytePath
  /** Stands before each path that is found, so that it leads there from the working directory. */
  readonly prefix: string
}

export interface PlaceOptions {
  readonly cwd: string
  readonly path?: string | undefined
  /** The folder, below the path, in which a glob begins. */
  readonly base?: string
  readonly call: Id
  readonly guard?: PathGuard | undefined
}

/** Finds where to search. Throws a message for the model where there is nothing, or where it would leave the path. */
export async function searchPlace({
  cwd,
  path = '.',
  base = '.',
  call,
  guard,
}: PlaceOptions): Promise<SearchPlace | undefined> {
  const start = await realPath(path, cwd)
  const kind = await kindOf(start)
  if (!kind) throw new Error(`There is no file or folder ${path}. The working directory is ${cwd}.`)
  guard?.verify(call, start)
  const named = resolve(cwd, path)
  if (kind === 'file')
    return { root: slashed(dirname(start)), file: bytePath(basename(start)), prefix: prefixOf(cwd, dirname(named)) }
  const root = await realPath(base, start)
  if (!isWithin(start, root)) throw new Error(`The glob leads out of ${path}. Give the folder to look in as path.`)
  if ((await kindOf(root)) !== 'folder') return undefined
  return { root: slashed(root), prefix: prefixOf(cwd, resolve(named, base)) }
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && (found.isDirectory() ? 'folder' : 'file')
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

/** Relative below the working directory, absolute outside of it. */
function prefixOf(cwd: string, folder: string): string {
  const from = relative(cwd, folder)
  if (from === '') return ''
  const shown = slashed(from.startsWith('..') ? folder : from)
  return shown.endsWith('/') ? shown : `${shown}/`
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
