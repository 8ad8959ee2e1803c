import { createSession, type Entry } from '@nacre/core'
import { silentModel } from '../session/silent-model.js'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { commandPlace, findEdit } from './find-session.js'

export interface UndoChoice {
  readonly edit: string | undefined
  readonly force: boolean
}

/** Takes an edit back without a model, hooks or servers: all that it needs is in the log. */
export async function undoEdit(terminal: Terminal, text: string, { edit, force }: UndoChoice): Promise<number> {
  const { store, find } = commandPlace(terminal)
  const { id } = await find(text)
  const entries = (await store.peek?.(id)) ?? []
  const wanted = edit === undefined ? undefined : findEdit(entries, edit).id
  const session = await createSession({
    model: silentModel(lastModel(entries)),
    store,
    open: { resume: id },
    details: { effects: { now: terminal.now }, flagSources: { environment: {} } },
  })
  try {
    const before = session.view().tokens.total
    const done = await session.undo({ force, ...(wanted !== undefined && { edit: wanted }) })
    const after = session.view().tokens.total
    terminal.stdout.write(
      `${cleanText(done.reason)}\nThe view has about ${after} tokens now, ${before} before. Undo this one with: nacre undo ${id} ${done.id}\n`,
    )
    return EXIT.done
  } finally {
    await session.close()
  }
}

/** The model whose window and rules the session had last. */
function lastModel(entries: readonly Entry[]): string | undefined {
  const last = entries.findLast((entry) => entry.kind === 'assistant')
  return last?.kind === 'assistant' ? last.model : undefined
}
