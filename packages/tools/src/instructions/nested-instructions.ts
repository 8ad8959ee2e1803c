import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { Handler, SessionStore, View } from '@nacre/core'
import { findResult } from '../files/find-result.js'
import { INSTRUCTION_NAMES, LOCAL_INSTRUCTION_NAMES } from '../paths/instruction-name.js'
import { realPath } from '../paths/real-path.js'
import type { InstructionFile } from './instruction-file.js'
import { loadFile } from './load-file.js'
import { type InstructionsOptions, startLoading } from './load-instructions.js'
import { openReads } from './open-reads.js'
import { wordNested } from './word-instructions.js'

const OWNER = 'instructions'

/**
 * Adds the instructions of the folders on the path of a file that was read, as notes inside the result: once, as long
 * as the view has the result that they were given in, and again when they are others. It works before a request and not
 * after a call, since a result has a place to put notes in only when it is in the log.
 */
export function nestedInstructions(
  store: SessionStore,
  cwd: string,
  options: InstructionsOptions,
): Handler<'PreModelCall'> {
  return async ({ view }, { note }) => {
    const given = new Set<string>()
    for (const { call, path, result } of openReads(view)) {
      for (const file of await onTheWay(path, cwd, options)) {
        if (given.has(file.path) || isInView(view, file)) continue
        given.add(file.path)
        const value = { call, hash: file.hash }
        await store.append([{ kind: 'state', id: '', time: 0, owner: OWNER, key: file.path, value }])
        note({ text: wordNested(file), trust: 'content', tag: 'nested_memory', inside: result })
      }
    }
  }
}

function isInView(view: View, { path, hash }: InstructionFile): boolean {
  const given = view.state(OWNER, path) as { readonly call: string; readonly hash: string } | undefined
  return given !== undefined && given.hash === hash && findResult(view.rounds, given.call) !== undefined
}

/** The instructions of the folders below the working directory that a file lies in; the file itself has been read. */
async function onTheWay(path: string, cwd: string, options: InstructionsOptions): Promise<readonly InstructionFile[]> {
  const [base, file] = await Promise.all([realPath(cwd), realPath(path, cwd)])
  const loading = await startLoading(cwd, options)
  const found: InstructionFile[] = []
  for (const folder of foldersBelow(base, dirname(file))) {
    for (const name of [...INSTRUCTION_NAMES, ...LOCAL_INSTRUCTION_NAMES]) {
      found.push(...(await loadFile(loading, 'nested', join(folder, name))))
    }
  }
  return found.filter((each) => each.path !== file)
}

function foldersBelow(base: string, folder: string): readonly string[] {
  const way = relative(base, folder)
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return []
  const parts = way.split(sep)
  return parts.map((_, index) => join(base, ...parts.slice(0, index + 1)))
}
