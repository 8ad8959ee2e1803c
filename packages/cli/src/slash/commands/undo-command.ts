import { type FoundId, findId } from '../find-id.js'
import { logEntries } from '../log-entries.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import { shortId } from '../short-id.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { startingWith } from '../starting-with.js'
import { figures } from '../text/figures.js'

/** Takes back a compaction, a clearing, a rewind or any other edit. */
export const undoCommand: SlashCommand = {
  name: 'undo',
  help: 'Takes back the last compaction, clearing or rewind, or the edit named: [id] [force]; /log shows ids.',
  example: '/undo 3f2a91c0',
  complete: (typed) => startingWith(typed, ['force']),
  async run(args, context) {
    const { session } = context.opened
    const words = args.split(/\s+/).filter((word) => word !== '')
    const force = words.at(-1) === 'force'
    const [typed, tooMuch] = force ? words.slice(0, -1) : words
    if (tooMuch !== undefined) return misuse(`One edit at a time: '${tooMuch}' is one too many.`, undoCommand, context)
    const found = typed === undefined ? undefined : await findEdit(typed, context)
    if (found && 'wrong' in found) return misuse(found.wrong, undoCommand, context)
    const before = session.view().tokens.total
    const done = await session.undo({ ...(found && { edit: found.id }), force })
    const after = session.view().tokens.total
    const sizes = `${figures.count(before)} → ${figures.count(after)} tokens`
    const what = done.reason.replace(/^undo: /, '')
    return say(`Taken back: ${what}. ${sizes}. /undo ${shortId(done.id)} brings it in again.`, context)
  },
}

async function findEdit(typed: string, { opened, signal }: SlashContext): Promise<FoundId> {
  const entries = await logEntries(opened.session, signal)
  const ids = entries.filter(({ kind }) => kind === 'edit').map(({ id }) => id)
  const found = findId(typed, ids, 'edit')
  return 'wrong' in found ? { wrong: `${found.wrong} /log shows the edits with their ids.` } : found
}
