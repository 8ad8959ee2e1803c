import { InvalidArgumentError, Option } from 'commander'
import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'
import type { LogFilter } from './show-log.js'

const KINDS = ['user', 'assistant', 'edit', 'state', 'notice']

/** `nacre log`: everything that happened in a session, also what its model no longer sees. */
export const logCommand: AddCommand = (program, terminal, end) => {
  program
    .command('log')
    .description('Show the entries of a session, oldest first')
    .argument('<session>', 'an id or its beginning, words of the title, or "latest"')
    .option('--json', 'a line of JSON for each entry, whole')
    .addOption(new Option('--kind <kind>', 'only entries of this kind').choices(KINDS))
    .option('--owner <plugin>', 'only entries of this plugin')
    .option('--grep <words>', 'only entries with these words in them')
    .option('--last <count>', 'only so many, from the end', wholeNumber)
    .option('--full', 'all of each entry in place of one line')
    .addHelpText(
      'after',
      exampleHelp(
        'nacre log latest',
        'nacre log latest --kind edit --owner compact',
        'nacre log 3f9a --grep port --full',
        'nacre log latest --last 10 --json',
      ),
    )
    .action((session: string, filter: LogFilter) =>
      act(terminal, end, async () => (await import('./show-log.js')).showLog(terminal, session, filter)),
    )
}

function wholeNumber(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new InvalidArgumentError('It has to be a whole number above 0.')
}
