import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Id, SessionStore, StateEntry, View } from '@nacre/core'
import { dataFolder, projectSlug, syncFolder, toFileName } from '@nacre/core/node'
import { type Coverage, firstAfter, type LoggedCoverage, readCoverage, stateEntry } from '../covering/coverage.js'
import {
  DEFAULT_TEMPLATE,
  NO_NOTES,
  type Notes,
  readNotes,
  readTemplate,
  type Section,
  writeNotes,
} from '../notes/notes.js'

/** Notes, how far they go, and what became of their file. Without coverage there are none that could be relied on. */
export interface FoundNotes {
  readonly notes: Notes
  readonly coverage?: Coverage
  readonly file: NotesFile['state'] | 'foreign'
}

/** The notes of one session: in a file for people and in the log for resumes, rewinds and repairs. */
export interface NotesStore {
  readonly path: string
  read(view: View): Promise<FoundNotes>
  /** With what else has to be in the log from then on. */
  write(notes: Notes, coverage: Omit<Coverage, 'session'>, entries?: readonly StateEntry[]): Promise<void>
  /** Takes the notes away, since they may hold what is to be seen no more. */
  forget(): Promise<void>
  /** How often they were taken away. */
  forgotten(): number
}

interface StoreOptions {
  readonly session: Id
  readonly path: string
  readonly sections: readonly Section[]
  readonly store: SessionStore
}

export function createNotesStore({ session, path, sections, store }: StoreOptions): NotesStore {
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

/** Which notes are meant. */
export interface NotesPlace {
  /** The data folder: `NACRE_HOME`, or what is customary on the platform. */
  readonly home?: string
  /** The project of the session, as its store has it; the current folder if none is named. */
  readonly project?: string
  readonly session: Id
}

/** The file that holds the notes of a session. */
export function notesPath({ home = dataFolder(), project = resolve('.'), session }: NotesPlace): string {
  return join(home, 'projects', projectSlug(project), 'session-memory', `${toFileName(session)}.md`)
}

/** What a list of sessions can show of one. */
export interface SessionPreview {
  readonly title: string
  /** Where its work stands. */
  readonly preview: string
  /** How far the notes go. */
  readonly turn: number
}

/** Title and preview of a session by its notes: their first two sections. `undefined` where it has none. */
export async function sessionPreview(
  place: NotesPlace,
  template: string = DEFAULT_TEMPLATE,
): Promise<SessionPreview | undefined> {
  const file = await readNotesFile(notesPath(place)).catch(() => undefined)
  if (file?.state !== 'whole') return undefined
  const sections = readTemplate(template)
  const notes = readNotes(file.text, sections)
  const [title = '', preview = ''] = sections.map(({ name }) => notes.get(name) ?? '')
  return { title: title.replace(/\s+/g, ' '), preview, turn: file.mark.turn }
}

/** A file of notes as it was found. */
type NotesFile =
  /** Damaged: cut off, or not written by this plugin. */
  | { readonly state: 'missing' | 'empty' | 'damaged' }
  | { readonly state: 'whole'; readonly text: string; readonly mark: Coverage }

/** Reads a file of notes. A file that is not there is no error; one that can't be read is. */
async function readNotesFile(path: string): Promise<NotesFile> {
  const bytes = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes === undefined) return { state: 'missing' }
  if (bytes.trim() === '') return { state: 'empty' }
  const found = unframeNotes(bytes)
  return found ? { state: 'whole', ...found } : { state: 'damaged' }
}

const BEGIN = '<!-- nacre notes '
const END = '<!-- end of nacre notes -->'
const FRAME = /^<!-- nacre notes (\{.*\}) -->\r?\n([\s\S]*?)\r?\n<!-- end of nacre notes -->\s*$/

/** Notes between a first line that says how far they go and a last one without which they were cut off. */
export function frameNotes(text: string, { session, covers, turn }: Coverage): string {
  // A comment ends at the first of these.
  const mark = JSON.stringify({ covers, turn, session }).replaceAll('>', '\\u003e')
  return `${BEGIN}${mark} -->\n${text.trim()}\n${END}\n`
}

/** What stands between, and how far it goes; `undefined` where one of the two lines is gone or makes no sense. */
export function unframeNotes(file: string): { readonly text: string; readonly mark: Coverage } | undefined {
  const [, mark = '', text = ''] = FRAME.exec(file.trimStart()) ?? []
  try {
    const { session, covers, turn } = JSON.parse(mark) as Partial<Coverage>
    if (typeof session !== 'string' || typeof covers !== 'string' || !Number.isInteger(turn)) return undefined
    return { text, mark: { session, covers, turn: turn as number } }
  } catch {
    return undefined
  }
}

/** Puts a text in the place of a file: whoever reads it, and whatever is killed when, finds the old one or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const folder = dirname(path)
  const unfinished = `${path}.${randomUUID()}.tmp`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeDown(unfinished, text)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(folder)
}

async function writeDown(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes what a killed process has left half-written beside a file. Only for the holder of the session: nobody else writes there. */
export async function sweepUnfinished(path: string): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
}
