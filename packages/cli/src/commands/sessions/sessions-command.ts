import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre sessions`: what there is to go on with. */
export const sessionsCommand: AddCommand = (program, terminal, end) => {
  program
    .command('sessions')
    .description('List the sessions of this project, newest first')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre sessions', 'nacre sessions --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./list-sessions.js')).listSessions(terminal, json)),
    )
}
