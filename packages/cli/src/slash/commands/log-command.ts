import type { Entry } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { describeEntry } from '../describe-entry.js'
import { logEntries } from '../log-entries.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import { shortId } from '../short-id.js'
import type { SlashCommand, SlashContext } from '../slash-command.js'
import { cutText } from '../text/cut-text.js'
import { type Colour, paint } from '../text/paint.js'

const USUAL = 20

const COLOURS: Readonly<Record<Entry['kind'], Colour>> = {
  user: 'green',
  assistant: 'blue',
  edit: 'yellow',
  state: 'dim',
  notice: 'magenta',
}

/** The last entries of the log, a line each. */
export const logCommand: SlashCommand = {
  name: 'log',
  help: `Shows the last entries of the log, ${USUAL} unless told: messages, edits with their price, notices.`,
  example: '/log 50',
  async run(args, context) {
    const count = args === '' ? USUAL : Number(args)
    if (!Number.isInteger(count) || count < 1) {
      return misuse(`'${args}' is no number of entries.`, logCommand, context)
    }
    const entries = await logEntries(context.opened.session, context.signal)
    // What plugins keep for themselves is nothing that people would look for here.
    const shown = entries.filter(({ kind }) => kind !== 'state')
    if (shown.length === 0) return say('Nothing has happened yet.', context)
    return {
      text: shown
        .slice(-count)
        .map((entry) => line(entry, context))
        .join('\n'),
    }
  },
}

/** Where there is little room, the time is left out. */
function line(entry: Entry, { width, hasColour }: SlashContext): string {
  const time = new Date(entry.time).toISOString().slice(11, 19)
  const id = shortId(entry.id)
  const head = width >= 60 ? `${time} ${id}` : id
  const room = Math.max(4, width - head.length - 1)
  const words = paint(cutText(cleanText(describeEntry(entry)), room), COLOURS[entry.kind], hasColour)
  return `${paint(head, 'dim', hasColour)} ${words}`
}
