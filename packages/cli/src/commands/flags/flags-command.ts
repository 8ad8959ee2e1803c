import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre flags`: every part that can be switched, whether it is on, and who says so. */
export const flagsCommand: AddCommand = (program, terminal, end) => {
  program
    .command('flags')
    .description('List every flag with its value and where that comes from')
    .option('--json', 'one JSON array, for scripts')
    .addHelpText('after', exampleHelp('nacre flags', 'NACRE_FLAGS=compact.clear=off nacre flags --json'))
    .action(({ json = false }: { json?: boolean }) =>
      act(terminal, end, async () => (await import('./list-flags.js')).listFlags(terminal, json)),
    )
}
