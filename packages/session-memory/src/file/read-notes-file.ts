import { readFile } from 'node:fs/promises'
import type { Coverage } from '../covering/coverage.js'
import { unframeNotes } from './notes-frame.js'

/** A file of notes as it was found. */
export type NotesFile =
  /** Damaged: cut off, or not written by this plugin. */
  | { readonly state: 'missing' | 'empty' | 'damaged' }
  | { readonly state: 'whole'; readonly text: string; readonly mark: Coverage }

/** Reads a file of notes. A file that is not there is no error; one that can't be read is. */
export async function readNotesFile(path: string): Promise<NotesFile> {
  const bytes = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes === undefined) return { state: 'missing' }
  if (bytes.trim() === '') return { state: 'empty' }
  const found = unframeNotes(bytes)
  return found ? { state: 'whole', ...found } : { state: 'damaged' }
}
