import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

const SESSION = 'an id or its beginning, words of the title, or "latest"'

/** `nacre memory`: what was written down about a session. */
export const memoryCommand: AddCommand = (program, terminal, end) => {
  const memory = program
    .command('memory')
    .description('Notes that were kept while a session went on')
    .addHelpText('after', exampleHelp('nacre memory list', 'nacre memory show latest', 'nacre memory path latest'))
  memory
    .command('list')
    .description('List the sessions that have notes, with where their work stands')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre memory list', 'nacre memory list --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./list-notes.js')).listNotes(terminal, json)),
    )
  memory
    .command('show')
    .description('Print the notes of a session')
    .argument('<session>', SESSION)
    .addHelpText('after', exampleHelp('nacre memory show latest'))
    .action((session: string) =>
      act(terminal, end, async () => (await import('./show-notes.js')).showNotes(terminal, session)),
    )
  memory
    .command('path')
    .description('Print the file that holds the notes of a session')
    .argument('<session>', SESSION)
    .addHelpText('after', exampleHelp('nacre memory path latest', 'less "$(nacre memory path latest)"'))
    .action((session: string) =>
      act(terminal, end, async () => (await import('./show-notes.js')).showNotesPath(terminal, session)),
    )
}
