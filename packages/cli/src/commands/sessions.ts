import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notesPath, sessionPreview } from '@nacre/session-memory'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { type CommandPlace, commandPlace, sessionFiles } from './find-session.js'
import { ago, bytes, oneLine } from './format.js'

interface ListedSession {
  readonly id: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly time: number
  readonly bytes: number
  /** Where its work stands, by its notes. */
  readonly state?: string
}

/** Prints the sessions of a project, for people or as JSON. */
export async function listSessions(terminal: Terminal, isJson: boolean): Promise<number> {
  const place = commandPlace(terminal)
  const listed: ListedSession[] = []
  for await (const summary of place.store.list()) listed.push(await describe(place, summary))
  if (isJson) terminal.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
  else if (listed.length === 0)
    terminal.stdout.write(`There are no sessions of ${place.root} yet. Start one with: nacre\n`)
  else for (const session of listed) terminal.stdout.write(`${sessionLine(session, terminal)}\n`)
  return EXIT.done
}

async function describe(
  place: CommandPlace,
  { id, title, time }: { readonly id: string; readonly title: string; readonly time: number },
): Promise<ListedSession> {
  const [size, preview] = await Promise.all([
    sessionBytes(sessionFiles(place, id)),
    sessionPreview({ home: place.data, project: place.root, session: id }),
  ])
  const state = preview?.preview.replaceAll(/\s+/g, ' ').trim()
  return { id, title: title || preview?.title || '', time, bytes: size, ...(state && { state }) }
}

/** Bytes of the log and of all that is kept beside it. */
async function sessionBytes({ log, blobs }: ReturnType<typeof sessionFiles>): Promise<number> {
  const names = await readdir(blobs).catch(() => [])
  const files = await Promise.all(
    [log, ...names.map((name) => join(blobs, name))].map((file) => stat(file).catch(() => undefined)),
  )
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
}

function sessionLine({ id, title, time, bytes: size }: ListedSession, { now, stdout }: Terminal): string {
  const head = `${id}  ${ago(now() - time).padEnd(15)} ${bytes(size).padStart(8)}  `
  return `${head}${oneLine(title || '(nothing said yet)', Math.max(20, (stdout.columns ?? 200) - head.length))}`
}

interface ListedNotes {
  readonly session: string
  readonly title: string
  /** Milliseconds since 1970, of the session. */
  readonly time: number
  /** Where the work stands. */
  readonly state: string
  readonly path: string
}

/** Prints the sessions of a project that have notes, newest first, for people or as JSON. */
export async function listNotes(terminal: Terminal, isJson: boolean): Promise<number> {
  const { data, root, store } = commandPlace(terminal)
  const listed: ListedNotes[] = []
  for await (const { id, title, time } of store.list()) {
    const place = { home: data, project: root, session: id }
    const path = notesPath(place)
    if (!(await stat(path).catch(() => undefined))) continue
    // Notes that somebody has changed by hand may have no preview; they are there all the same.
    const preview = await sessionPreview(place)
    const state = preview?.preview.replaceAll(/\s+/g, ' ').trim() ?? ''
    listed.push({ session: id, title: preview?.title || title, time, state, path })
  }
  const none = `No session of ${root} has notes yet: they are written once a session has some length.`
  const lines = listed.length === 0 ? [none] : listed.map((notes) => notesLine(notes, terminal))
  terminal.stdout.write(`${isJson ? JSON.stringify(listed, null, 2) : lines.join('\n')}\n`)
  return EXIT.done
}

function notesLine({ session, title, time, state }: ListedNotes, { now, stdout }: Terminal): string {
  const head = `${session}  ${ago(now() - time).padEnd(15)} `
  const words = [title, state].filter((each) => each !== '').join(': ')
  return `${head}${oneLine(words, Math.max(20, (stdout.columns ?? 200) - head.length))}`
}

/** Prints the notes of a session; exit code 1 where it has none. */
export async function showNotes(terminal: Terminal, session: string): Promise<number> {
  const path = await pathOf(terminal, session)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) {
    terminal.stderr.write(`nacre: There are no notes yet: they are written once a session has some length (${path}).\n`)
    return EXIT.failed
  }
  terminal.stdout.write(`${cleanText(text).trimEnd()}\n`)
  return EXIT.done
}

/** Prints where the notes of a session are, or will be. */
export async function showNotesPath(terminal: Terminal, session: string): Promise<number> {
  terminal.stdout.write(`${await pathOf(terminal, session)}\n`)
  return EXIT.done
}

async function pathOf(terminal: Terminal, text: string): Promise<string> {
  const { data, root, find } = commandPlace(terminal)
  const { id } = await find(text)
  return notesPath({ home: data, project: root, session: id })
}
