import { readFile, rm } from 'node:fs/promises'
import type { Id, SessionStore, StateEntry, View } from '@nacre/core'
import { type Coverage, type LoggedCoverage, readCoverage, stateEntry } from './covering/coverage.js'
import { firstAfter } from './covering/first-after.js'
import { frameNotes, unframeNotes } from './file/notes-frame.js'
import { type NotesFile, readNotesFile } from './file/read-notes-file.js'
import { replaceFile } from './file/replace-file.js'
import { NO_NOTES, type Notes } from './notes/notes.js'
import { readNotes } from './notes/read-notes.js'
import { writeNotes } from './notes/write-notes.js'
import type { Section } from './template/read-template.js'

/** Notes, how far they go, and what became of their file. Without coverage there are none that could be relied on. */
export interface FoundNotes {
  readonly notes: Notes
  readonly coverage?: Coverage
  readonly file: NotesFile['state'] | 'foreign'
}

/** The notes of one session: in a file for people and in the log for resumes, rewinds and repairs. */
export interface NotesBook {
  readonly path: string
  read(view: View): Promise<FoundNotes>
  /** With what else has to be in the log from then on. */
  write(notes: Notes, coverage: Omit<Coverage, 'session'>, entries?: readonly StateEntry[]): Promise<void>
  /** Takes the notes away, since they may hold what is to be seen no more. */
  forget(): Promise<void>
  /** How often they were taken away. */
  forgotten(): number
}

export interface BookParts {
  readonly session: Id
  readonly path: string
  readonly sections: readonly Section[]
  readonly store: SessionStore
}

export function createNotesBook({ session, path, sections, store }: BookParts): NotesBook {
  const read = (text: string) => readNotes(text, sections)
  let forgotten = 0

  /** The notes that an update has left in the log, where they can still be read. */
  const fromLog = async (known: LoggedCoverage | undefined, file: FoundNotes['file']): Promise<FoundNotes> => {
    const kept = known && unframeNotes(await keptText(store, known).catch(() => ''))
    return kept ? { notes: read(kept.text), coverage: known, file } : { notes: NO_NOTES, file }
  }

  return {
    path,
    async read(view) {
      const file = await readNotesFile(path)
      const known = readCoverage(view)
      const isCopied = known !== undefined && known.session !== session
      const isLost = file.state === 'damaged' || (file.state === 'missing' && isCopied)
      if (isLost) return fromLog(known, file.state)
      // Who takes the notes away does not want them back.
      if (file.state !== 'whole') return { notes: NO_NOTES, file: file.state }
      const { mark, text } = file
      // Another entry than in the log: written right before a kill, or brought back by hand. Good as long as it is in view.
      const isTrue = mark.session === session && (mark.covers === known?.covers || firstAfter(view, mark.covers))
      return isTrue ? { notes: read(text), coverage: mark, file: file.state } : fromLog(known, 'foreign')
    },
    async write(notes, covered, entries = []) {
      const coverage = { session, ...covered }
      const text = frameNotes(writeNotes(notes, sections), coverage)
      const { blob, path: kept } = await store.put('notes.md', text)
      await replaceFile(path, text)
      const logged = { ...coverage, blob, ...(kept !== undefined && { path: kept }) }
      await store.append([stateEntry('coverage', logged), ...entries])
    },
    async forget() {
      forgotten += 1
      await rm(path, { force: true })
      await store.append([stateEntry('coverage', null)])
    },
    forgotten: () => forgotten,
  }
}

async function keptText(store: SessionStore, { blob, path }: LoggedCoverage): Promise<string> {
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of store.get(blob)) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  } catch (error) {
    if (path === undefined) throw error
    return readFile(path, 'utf8')
  }
}
