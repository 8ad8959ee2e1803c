import type { HookContext, Id, StateEntry, View } from '@nacre/core'
import { OWNER, stateEntry } from '../covering/coverage.js'
import { firstAfter } from '../covering/first-after.js'
import { scaleOf } from '../figures.js'
import { applyEdits } from '../notes/apply-edits.js'
import type { NoteEdit } from '../notes/note-edit.js'
import type { Notes } from '../notes/notes.js'
import { oversizeOf } from '../notes/section-sizes.js'
import { writeNotes } from '../notes/write-notes.js'
import type { FoundNotes } from '../notes-book.js'
import type { Parts } from '../parts.js'

export interface UpdateTask {
  readonly context: HookContext
  /** Why the last update came to nothing. */
  readonly problem: string | undefined
  readonly signal: AbortSignal
}

/** Brings the notes up to date. They and their coverage change together, and only when all of it went well; else it throws. */
export async function runUpdate(parts: Parts, task: UpdateTask): Promise<void> {
  const { context, signal } = task
  const { book } = parts
  const forgotten = book.forgotten()
  const found = await book.read(context.view())
  const { edits, covers } = await askForEdits(parts, task, found)
  if (book.forgotten() > forgotten) return
  if (signal.aborted || !parts.flag('updates')) return
  await commit(parts, context.view(), { found, edits, covers })
}

interface Answer {
  readonly edits: readonly NoteEdit[]
  readonly covers: Id
}

async function askForEdits(parts: Parts, task: UpdateTask, found: FoundNotes): Promise<Answer> {
  const { context, problem, signal } = task
  const desk = parts.desk.open()
  try {
    const { covers, usage, stop } = await context.fork({
      source: 'session_memory',
      prompt: [{ type: 'text', text: promptFor(parts, context.view(), found, problem) }],
      // All that a second turn could do is to say that it is done, for the price of the first.
      maxTurns: 1,
      allow: (call) => parts.flag('updates') && desk.allow(call),
      signal,
    })
    await parts.spending.add(usage.dollars)
    if (stop === 'refusal') throw new Error('The model refused to write notes.')
    return { edits: desk.edits(), covers }
  } finally {
    desk.close()
  }
}

function promptFor({ settings }: Parts, view: View, { notes, coverage }: FoundNotes, problem: string | undefined) {
  const { sections } = settings
  return settings.prompt({
    notes: writeNotes(notes, sections),
    ...(coverage && { turn: coverage.turn }),
    oversize: oversizeOf(notes, sections, scaleOf(view.tokens.window)),
    ...(problem !== undefined && { problem }),
  })
}

async function commit(parts: Parts, view: View, { found, edits, covers }: Answer & { found: FoundNotes }) {
  const { book, settings, turns } = parts
  // What was taken back or folded meanwhile is not what these notes are about.
  if (!firstAfter(view, covers)) return
  const now = await book.read(view)
  const isGone = found.notes.size > 0 && now.notes.size === 0
  if (isGone) throw new Error('The notes were taken away while they were brought up to date.')
  // A person may have written in the file meanwhile: the edits go on top of that.
  const notes = applyEdits(now.notes, edits, settings.sections)
  if (notes.size === 0) throw new Error('The notes would be empty.')
  const turn = turns.upTo(covers, view) ?? now.coverage?.turn ?? 0
  await book.write(notes, { covers, turn }, titleEntries(view, notes, settings.sections[0]?.name ?? ''))
}

/** The first section is the title of the session, unless a person has given it one. */
function titleEntries(view: View, notes: Notes, section: string): readonly StateEntry[] {
  const title = notes.get(section)?.replace(/\s+/g, ' ')
  const current = view.state('core', 'title')
  const isOwn = current === undefined || current === view.state(OWNER, 'title')
  if (title === undefined || title === current || !isOwn) return []
  return [stateEntry('title', title, 'core'), stateEntry('title', title)]
}
