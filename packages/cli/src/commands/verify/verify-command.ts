import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre verify`: whether a session is whole and would be sent as it was. */
export const verifyCommand: AddCommand = (program, terminal, end) => {
  program
    .command('verify')
    .description('Check that the log of a session is whole, renders to what was sent, and has all it refers to')
    .argument('<session>', 'an id or its beginning, words of the title, or "latest"')
    .option('--json', 'one JSON object, for scripts')
    .addHelpText('after', exampleHelp('nacre verify latest', 'nacre verify 3f9a --json'))
    .action((session: string, { json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./verify-session.js')).verifySession(terminal, session, json)),
    )
}
