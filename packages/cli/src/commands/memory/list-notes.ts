import { stat } from 'node:fs/promises'
import { notesPath, sessionPreview } from '@nacre/session-memory'
import { EXIT } from '../../exit-codes.js'
import type { Terminal } from '../../terminal.js'
import { commandPlace } from '../command-place.js'
import { ago, oneLine } from '../words.js'

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
  const lines = listed.length === 0 ? [none] : listed.map((notes) => line(notes, terminal))
  terminal.stdout.write(`${isJson ? JSON.stringify(listed, null, 2) : lines.join('\n')}\n`)
  return EXIT.done
}

function line({ session, title, time, state }: ListedNotes, { now, stdout }: Terminal): string {
  const head = `${session}  ${ago(now() - time).padEnd(15)} `
  const words = [title, state].filter((each) => each !== '').join(': ')
  return `${head}${oneLine(words, Math.max(20, (stdout.columns ?? 200) - head.length))}`
}
