import type { Command } from '@nacre/core'
import { writeNotes } from './notes/write-notes.js'
import type { Parts } from './parts.js'

export interface CommandParts extends Parts {
  stopped(): string | undefined
}

const HELP = 'Shows the notes of this session: how far they go, where they are, what they say.'

/** Shows the notes to people. Its name has two words, so that a program can gather all commands that begin with the first. */
export function memoryCommand(parts: CommandParts): Command {
  const { book, settings, turns } = parts
  return {
    name: 'memory session',
    help: HELP,
    async run(args, context) {
      if (args.trim() !== '') return `${HELP} It takes no arguments.`
      const { notes, coverage, file } = await book.read(context.view())
      const stopped = parts.stopped()
      const lines = [
        coverage
          ? `Covers up to turn ${coverage.turn} of ${Math.max(coverage.turn, turns.last())}. ${book.path}`
          : `There are no notes yet. They will be in ${book.path}`,
        ...(file === 'damaged' ? ['The file is damaged; this is what the log has. The next update mends it.'] : []),
        ...(file === 'foreign' ? ['The file is not about what is in view; this is what the log has.'] : []),
        ...(stopped === undefined ? [] : [`There are no more updates: ${stopped}`]),
        ...(parts.flag('updates') ? [] : ['Updates are switched off.']),
      ]
      return coverage ? `${lines.join('\n')}\n\n${writeNotes(notes, settings.sections)}` : lines.join('\n')
    },
  }
}
