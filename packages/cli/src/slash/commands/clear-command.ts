import { misuse } from '../misuse.js'
import { say } from '../say.js'
import { shortId } from '../short-id.js'
import type { SlashCommand } from '../slash-command.js'
import { figures } from '../text/figures.js'

/** Begins anew in the same session. */
export const clearCommand: SlashCommand = {
  name: 'clear',
  help: 'Begins anew with an empty conversation; the log keeps what was, and /undo brings it back.',
  example: '/clear',
  async run(args, context) {
    if (args !== '') return misuse('/clear takes no arguments.', clearCommand, context)
    const { session } = context.opened
    const before = session.view().tokens.total
    const edit = await session.clear()
    if (!edit) return say('There is nothing to clear.', context)
    const freed = Math.max(0, before - session.view().tokens.total)
    return say(`Cleared: ${figures.count(freed)} tokens freed. /undo ${shortId(edit.id)} brings it back.`, context)
  },
}
