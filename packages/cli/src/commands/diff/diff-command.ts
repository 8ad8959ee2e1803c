import { act } from '../act.js'
import type { AddCommand } from '../command.js'
import { exampleHelp } from '../example-help.js'

/** `nacre diff`: what an edit took from the model's view and what it put there. */
export const diffCommand: AddCommand = (program, terminal, end) => {
  program
    .command('diff')
    .description('Show what an edit changed in what the model sees')
    .argument('<session>', 'an id or its beginning, words of the title, or "latest"')
    .argument('[edit]', 'the id of an edit or its beginning; the last one unless told')
    .option('--full', 'all lines of long blocks')
    .addHelpText(
      'after',
      exampleHelp('nacre log latest --kind edit', 'nacre diff latest 7c20e1', 'nacre diff latest --full'),
    )
    .action((session: string, edit: string | undefined, { full = false }: { full?: boolean }) =>
      act(terminal, end, async () =>
        (await import('./show-diff.js')).showDiff(terminal, session, { edit, isFull: full }),
      ),
    )
}
