import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre import`: goes on with a session of another program. */
export const importCommand: AddCommand = (program, terminal, end) => {
  program
    .command('import')
    .description('Take in a session of Claude Code, to go on with it here')
    .argument('<file>', 'its file, a line of JSON for each record')
    .option('--as <id>', 'the id of the new session; the name of the file unless told')
    .addHelpText(
      'after',
      exampleHelp(
        'nacre import ~/.claude/projects/my-project/3f9ac01d.jsonl',
        'nacre import old.jsonl --as old && nacre --resume old',
      ),
    )
    .action((file: string, { as }: { as?: string }) =>
      act(terminal, end, async () => (await import('./import-session.js')).importSession(terminal, file, as)),
    )
}
