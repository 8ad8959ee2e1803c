import { readFile } from 'node:fs/promises'
import { notesPath } from '@nacre/session-memory'
import { EXIT } from '../../exit-codes.js'
import type { Terminal } from '../../terminal.js'
import { commandPlace } from '../command-place.js'
import { harmless } from '../words.js'

/** Prints the notes of a session; exit code 1 where it has none. */
export async function showNotes(terminal: Terminal, session: string): Promise<number> {
  const path = await pathOf(terminal, session)
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) {
    terminal.stderr.write(`nacre: There are no notes yet: they are written once a session has some length (${path}).\n`)
    return EXIT.failed
  }
  terminal.stdout.write(`${harmless(text).trimEnd()}\n`)
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
